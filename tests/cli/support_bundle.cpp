#include "tests/cli/support_bundle.hpp"

#include "base/base64.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace ingot::cli::tests {

using bundle::Rule;

std::map<std::string, std::string> unpacked(const std::string& path) {
  const std::unique_ptr<::archive, int (*)(::archive*)> tar(::archive_read_new(), ::archive_read_free);
  ::archive_read_support_filter_gzip(tar.get());
  ::archive_read_support_format_tar(tar.get());
  if (::archive_read_open_filename(tar.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    throw std::runtime_error(::archive_error_string(tar.get()));
  std::map<std::string, std::string> files;
  ::archive_entry* entry = nullptr;
  while (::archive_read_next_header(tar.get(), &entry) == ARCHIVE_OK) {
    const std::string name = ::archive_entry_pathname(entry);
    std::string text(static_cast<std::size_t>(::archive_entry_size(entry)), '\0');
    if (::archive_read_data(tar.get(), text.data(), text.size()) != static_cast<la_ssize_t>(text.size()))
      throw std::runtime_error(name + " ends early");
    files.emplace(name.substr(name.find('/') + 1), std::move(text));
  }
  if (::archive_errno(tar.get()) != 0) throw std::runtime_error(::archive_error_string(tar.get()));
  return files;
}

const std::vector<Planted>& planted() {
  static const std::vector<Planted> all = {
      {{Rule::secrets, Rule::telltaleNames}, "data of a BMC's Secret", "Quarzsand-bmc-password"},
      {{Rule::secrets}, "bootstrap data", "Quarzsand-bootstrap-token"},
      {{Rule::secrets, Rule::telltaleNames}, "user data", "Quarzsand-user-data"},
      {{Rule::secrets}, "meta data", "Quarzsand-meta-data"},
      {{Rule::secrets}, "network data", "Quarzsand-network-data"},
      {{Rule::secrets}, "annotation of a Secret", "Quarzsand-secret-note"},
      {{Rule::lastApplied}, "last applied manifest of a host", "Quarzsand-last-applied"},
      {{Rule::lastApplied}, "the same of Rancher", "Quarzsand-rancher-applied"},
      {{Rule::foreignAnnotations}, "annotation of somebody else", "Quarzsand-foreign-note"},
      {{Rule::configMaps}, "data of a ConfigMap", "Quarzsand-config-map"},
      {{Rule::environment}, "environment of a pod", "Quarzsand-pod-env"},
      {{Rule::environment}, "environment of a Deployment", "Quarzsand-deployment-env"},
      {{Rule::freeValues}, "meta data strings of a template", "Quarzsand-template-string"},
      {{Rule::freeValues}, "variable of a topology", "Quarzsand-topology-variable"},
      {{Rule::telltaleNames}, "BIOS setting", "Quarzsand-bios-password"},
      {{Rule::telltaleNames}, "BIOS setting that is a number", "731902846"},
      {{Rule::telltaleNames}, "BIOS setting that is a list", "Quarzsand-bios-list"},
      {{Rule::telltaleNames}, "flag of a pod, its value apart", "Quarzsand-pod-apart"},
      {{Rule::telltaleNames}, "kernel parameters of an image", "Quarzsand-kernel-params"},
      {{Rule::assignments}, "flag of a pod", "Quarzsand-pod-flag"},
      {{Rule::assignments}, "header in a log", "Quarzsand-log-bearer"},
      {{Rule::assignments}, "password in a log", "Quarzsand-log-password"},
      {{Rule::assignments}, "secret in a log", "Quarzsand-log-secret"},
      {{Rule::assignments}, "flag in a log", "Quarzsand-log-flag"},
      {{Rule::assignments}, "error of a host", "Quarzsand-status-password"},
      {{Rule::privateKeys}, "key in a log", "Quarzsand-private-key"},
      {{Rule::privateKeys}, "end of a key in a log", "QuarzsandEndOfKey"},
      {{Rule::userInfo}, "password in a log that begins like a port", "Quarzsand-digits"},
      {{Rule::userInfo}, "password in a log that must not stand in a URL", "Quarzsand-pipe"},
      {{Rule::userInfo}, "BMC address", "Quarzsand-bmc-address"},
      {{Rule::userInfo}, "BMC address with a password that has to be escaped", "Quarzsand/unescaped"},
      {{Rule::userInfo}, "image URL", "Quarzsand-image-url"},
      {{Rule::userInfo}, "URL in an error of a host", "Quarzsand-status-url"},
      {{Rule::userInfo}, "URL in an Event", "Quarzsand-event-url"},
      {{Rule::userInfo}, "URL in a log", "Quarzsand-log-url"},
      {{Rule::userInfo}, "URL in readyz", "Quarzsand-readyz-url"},
      {{Rule::queries}, "signature of an image URL", "Quarzsand-signature"},
  };
  return all;
}

std::string plantedManifests() {
  return R"(apiVersion: v1
kind: Namespace
metadata: {name: metal3}
---
apiVersion: v1
kind: Secret
metadata:
  name: leaky-bmc
  namespace: metal3
  labels: {environment.metal3.io: baremetal}
  annotations: {metal3.io/note: Quarzsand-secret-note}
stringData: {username: admin, password: Quarzsand-bmc-password}
---
apiVersion: v1
kind: Secret
metadata: {name: edge-bootstrap, namespace: metal3}
type: cluster.x-k8s.io/secret
stringData: {value: "kubeadm join --with Quarzsand-bootstrap-token", format: cloud-config}
---
apiVersion: v1
kind: Secret
metadata: {name: leaky-data, namespace: metal3}
stringData: {userData: Quarzsand-user-data, metaData: Quarzsand-meta-data, networkData: Quarzsand-network-data}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: metal3}
data: {anything: Quarzsand-config-map}
---
apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata:
  name: leaky
  namespace: metal3
  annotations:
    objectset.rio.cattle.io/applied: Quarzsand-rancher-applied
    example.com/note: Quarzsand-foreign-note
    inspect.metal3.io: disabled
spec:
  online: true
  bmc: {address: "redfish://192.0.2.7/redfish/v1/Systems/1", credentialsName: leaky-bmc}
  bootMACAddress: "52:54:00:00:00:07"
  userData: {name: leaky-data, namespace: metal3}
  image:
    url: "https://reader:Quarzsand-image-url@images.example/a.qcow2?expires=9&sig=Quarzsand-signature"
    checksum: "https://images.example/sums"
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3DataTemplate
metadata: {name: edge, namespace: metal3}
spec:
  clusterName: edge
  metaData: {strings: [{key: join, value: Quarzsand-template-string}]}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: edge, namespace: metal3}
spec:
  topology:
    classRef: {name: metal}
    version: v1.36.0
    variables: [{name: console, value: Quarzsand-topology-variable}]
---
apiVersion: v1
kind: Event
metadata: {name: leaky.1, namespace: metal3}
involvedObject: {apiVersion: metal3.io/v1alpha1, kind: BareMetalHost, name: leaky, namespace: metal3}
reason: ImageNotFound
message: "nobody answers at https://reader:Quarzsand-event-url@images.example/a"
type: Warning
---
apiVersion: v1
kind: Event
metadata: {name: other.1, namespace: metal3}
involvedObject: {apiVersion: apps/v1, kind: Deployment, name: other, namespace: metal3}
reason: Scaled
message: of somebody else
type: Normal
)";
}

std::string plantedStatus() {
  return R"({"operationalStatus":"error","errorType":"registration error","errorCount":3,"poweredOn":false,
"errorMessage":"login at https://admin:Quarzsand-status-url@192.0.2.7/ failed, password=Quarzsand-status-password",
"provisioning":{"ID":"","state":"registering"}})";
}

std::string plantedLog() {
  return "QuarzsandEndOfKey\n-----END PRIVATE KEY-----\n"
         "WARN bmc address=redfish://root:2024#Quarzsand-digits@192.0.2.7/x\n"
         "WARN bmc address=redfish://root:a|Quarzsand-pipe@192.0.2.7/x\n"
         "WARN ipmi secret=Quarzsand-log-secret args --bmc-password Quarzsand-log-flag\n"
         "INFO coordinator up url=http://admin:Quarzsand-log-url@ironic:6385/v1\n"
         "WARN ironic refused password=Quarzsand-log-password\n"
         "WARN kube Authorization: Bearer Quarzsand-log-bearer\n"
         "-----BEGIN PRIVATE KEY-----\nQuarzsand-private-key\n-----END PRIVATE KEY-----\n"
         "INFO host registered host=metal3/leaky\n";
}

std::map<std::string, std::string> plantedAnswers() {
  const std::string spec =
      R"({"containers":[{"name":"manager","args":["--ironic-password=Quarzsand-pod-flag","--x-password","Quarzsand-pod-apart"],
"env":[{"name":"PROVISIONING_LIMIT","value":"20"},{"name":"SAUCE","value":"%"}]}]})";
  const auto specWith = [&spec](std::string_view value) {
    std::string text = spec;
    return text.replace(text.find('%'), 1, value);
  };
  const std::string metadata =
      R"("metadata":{"name":"ingot-coordinator","namespace":"ingot-system","labels":{"app.kubernetes.io/name":"ingot-coordinator"}})";
  const auto list = [](const std::string& kind, const std::string& apiVersion, const std::string& item) {
    return fmt::format(R"({{"apiVersion":"{}","kind":"{}List","metadata":{{}},"items":[{}]}})", apiVersion, kind, item);
  };
  return {
      {"/api/v1/pods", list("Pod", "v1", fmt::format(R"({{{},"spec":{}}})", metadata, specWith("Quarzsand-pod-env")))},
      {"/apis/apps/v1/deployments", list("Deployment", "apps/v1",
                                         fmt::format(R"({{{},"spec":{{"template":{{"spec":{}}}}}}})", metadata,
                                                     specWith("Quarzsand-deployment-env")))},
      {"/log?", plantedLog()},
      {":9440/proxy/readyz", "ok\nasks http://admin:Quarzsand-readyz-url@ironic:6385/v1\n"},
      {"hostfirmwaresettings",
       list(
           "HostFirmwareSettings", "metal3.io/v1alpha1",
           R"({"metadata":{"name":"leaky","namespace":"metal3"},"spec":{"settings":{"AdminPassword":"Quarzsand-bios-password","SetupPwd":731902846,"Secrets":["Quarzsand-bios-list"]}}})")},
      {"preprovisioningimages",
       list(
           "PreprovisioningImage", "metal3.io/v1alpha1",
           R"({"metadata":{"name":"leaky","namespace":"metal3"},"status":{"extraKernelParams":"Quarzsand-kernel-params"}})")},
      {"hostclaims",  // an address as baremetal-operator takes it, too
       list(
           "HostClaim", "metal3.io/v1alpha1",
           R"({"metadata":{"name":"leaky","namespace":"metal3"},"spec":{"a":{"address":"redfish://u:Quarzsand-bmc-address@h/1"},
"b":{"address":"redfish://u:Quarzsand/unescaped@h/1"}}})")},
  };
}

namespace {

// What of `value` is left in base64 however it is aligned: 0, 1 or 2 bytes may stand before it.
std::vector<std::string> base64Forms(const std::string& value) {
  std::vector<std::string> forms;
  for (std::size_t before = 0; before < 3; ++before) {
    const std::string coded = base::toBase64(std::string(before, 'x') + value);
    const std::size_t first = before == 0 ? 0 : before + 1;
    const std::size_t known = (before + value.size()) * 8 / 6;
    forms.push_back(coded.substr(first, known - first));
  }
  return forms;
}

}  // namespace

bool holds(const std::map<std::string, std::string>& files, const std::string& value) {
  auto forms = base64Forms(value);
  forms.push_back(value);
  return std::ranges::any_of(files, [&](const auto& file) {
    return std::ranges::any_of(forms, [&](const std::string& form) {
      return file.first.find(form) != std::string::npos || file.second.find(form) != std::string::npos;
    });
  });
}

}  // namespace ingot::cli::tests
