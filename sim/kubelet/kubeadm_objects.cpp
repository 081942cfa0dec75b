#include "sim/kubelet/kubeadm_objects.hpp"

#include "base/base64.hpp"
#include "json/yaml.hpp"

namespace ingot::sim::kubelet {

namespace {

// As kubeadm writes them.
constexpr std::string_view rights = R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: kubeadm:nodes-kubeadm-config, namespace: kube-system}
rules: [{apiGroups: [""], resources: [configmaps], resourceNames: [kubeadm-config], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: kubeadm:nodes-kubeadm-config, namespace: kube-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: kubeadm:nodes-kubeadm-config}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:bootstrappers:kubeadm:default-node-token}
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:nodes}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: kubeadm:bootstrap-signer-clusterinfo, namespace: kube-public}
rules: [{apiGroups: [""], resources: [configmaps], resourceNames: [cluster-info], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: kubeadm:bootstrap-signer-clusterinfo, namespace: kube-public}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: kubeadm:bootstrap-signer-clusterinfo}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: system:anonymous}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: kubeadm:kubelet-bootstrap}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:node-bootstrapper}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:bootstrappers:kubeadm:default-node-token}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: kubeadm:node-autoapprove-bootstrap}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: system:certificates.k8s.io:certificatesigningrequests:nodeclient
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:bootstrappers:kubeadm:default-node-token}]
)";

json::Value configMap(std::string_view ns, std::string_view name, json::Object data) {
  return {{"apiVersion", "v1"},
          {"kind", "ConfigMap"},
          {"metadata", {{"name", name}, {"namespace", ns}}},
          {"data", std::move(data)}};
}

}  // namespace

json::Value kubeadmConfig(const json::Value& clusterConfiguration) {
  return configMap("kube-system", "kubeadm-config", {{"ClusterConfiguration", json::toYaml(clusterConfiguration)}});
}

json::Value clusterInfo(const std::string& serverUrl, const std::string& caPem) {
  const json::Value kubeconfig{
      {"apiVersion", "v1"},
      {"kind", "Config"},
      {"clusters", json::Array{json::Object{
                       {"name", ""},
                       {"cluster", {{"server", serverUrl}, {"certificate-authority-data", base::toBase64(caPem)}}}}}}};
  return configMap("kube-public", "cluster-info", {{"kubeconfig", json::toYaml(kubeconfig)}});
}

std::string authorityIn(const json::Value& clusterInfo) {
  const auto kubeconfig = json::parseYamlValue(json::textAt(clusterInfo, {"data", "kubeconfig"}));
  const auto* found = json::findPath(kubeconfig, "clusters[0].cluster.certificate-authority-data");
  if (!found || !found->is_string()) return "";
  return base::fromBase64(found->get_string()).value_or("");
}

std::vector<json::Value> rightsOfJoiners() {
  std::vector<json::Value> all;
  for (auto& each : json::parseYaml(rights)) all.push_back(std::move(each.value));
  return all;
}

}  // namespace ingot::sim::kubelet
