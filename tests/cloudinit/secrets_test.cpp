// Secrets of rendered data, and which user data a machine boots with (spec/capm3.md §10.2, §15.6).
#include "cloudinit/secrets.hpp"

#include "cloudinit/findings.hpp"
#include "tests/cloudinit/machine_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using cloudinit::MachineBench;

namespace {

api::capi::Machine machineWith(std::optional<std::string> dataSecret) {
  api::capi::Machine machine;
  machine.metadata.namespace_ = "metal3";
  machine.spec.bootstrap.dataSecretName = std::move(dataSecret);
  return machine;
}

std::vector<std::string> findings(const MachineBench& bench, std::string_view spec) {
  std::vector<std::string> out;
  const auto wanted = json::decode<api::capm3::v1beta2::Metal3DataTemplateSpec>(json::parse(spec));
  for (const auto& finding : cloudinit::findingsIn(wanted, bench.snapshot())) out.emplace_back(finding.what());
  return out;
}

}  // namespace

TEST_CASE("§15.6 (8) a data Secret is named after the machine, labelled with the cluster, owned by the data") {
  MachineBench bench;
  bench.data.metadata.uid = "u-7";
  const auto secret = cloudinit::metaDataSecret({bench.data, "m3m-a", "prod"}, "k: v\n");
  CHECK(secret.metadata.name == "m3m-a-metadata");
  CHECK(secret.metadata.namespace_ == "metal3");
  CHECK(secret.type == "infrastructure.cluster.x-k8s.io/secret");
  CHECK(secret.metadata.labels == std::map<std::string, std::string>{{"cluster.x-k8s.io/cluster-name", "prod"}});
  REQUIRE(secret.metadata.ownerReferences.size() == 1);
  CHECK(secret.metadata.ownerReferences[0].apiVersion == "infrastructure.cluster.x-k8s.io/v1beta2");
  CHECK(secret.metadata.ownerReferences[0].kind == "Metal3Data");
  CHECK(secret.metadata.ownerReferences[0].uid == "u-7");
  CHECK(secret.metadata.ownerReferences[0].controller == true);
  REQUIRE(secret.find("metaData"));
  CHECK(secret.find("metaData")->reveal() == "k: v\n");
  CHECK(cloudinit::networkDataSecret({bench.data, "m3m-a", "prod"}, "").metadata.name == "m3m-a-networkdata");
}

TEST_CASE("a name that the data chose stays, one that is too long is refused") {
  MachineBench bench;
  bench.data.spec.metaData = api::SecretReference{"mine", "metal3"};
  CHECK(cloudinit::metaDataSecret({bench.data, "m3m-a", "prod"}, "").metadata.name == "mine");
  CHECK_THROWS_WITH(cloudinit::networkDataSecret({bench.data, std::string(250, 'm'), "prod"}, ""),
                    Catch::StartsWith("networkData.name of the Secret \"mmm") &&
                        Catch::EndsWith(": 262 characters, and Kubernetes takes 253 at most"));
  CHECK_THROWS_WITH(cloudinit::metaDataSecret({bench.data, "m", std::string(64, 'c')}, ""),
                    Catch::StartsWith("metaData.label cluster.x-k8s.io/cluster-name \"ccc") &&
                        Catch::EndsWith(": 64 characters, and Kubernetes takes 63 at most"));
}

TEST_CASE("§10.2 user data: what was chosen stays, bootstrap data wins over the machine's own") {
  api::capm3::v1beta2::Metal3Machine machine;
  machine.metadata.namespace_ = "metal3";
  CHECK_FALSE(cloudinit::userDataFor(machineWith(std::nullopt), machine));
  machine.spec.userData = api::SecretReference{"own", ""};
  CHECK(cloudinit::userDataFor(machineWith(std::nullopt), machine)->name == "own");
  CHECK(cloudinit::userDataFor(machineWith("boot"), machine) == api::SecretReference{"boot", "metal3"});
  machine.status.userData = api::SecretReference{"first", "metal3"};
  CHECK(cloudinit::userDataFor(machineWith("boot"), machine)->name == "first");
}

TEST_CASE("user data of another namespace is refused") {
  api::capm3::v1beta2::Metal3Machine machine;
  machine.metadata.namespace_ = "metal3";
  machine.spec.userData = api::SecretReference{"own", "elsewhere"};
  CHECK_THROWS_AS(cloudinit::userDataFor(machineWith("boot"), machine), cloudinit::RenderError);
}

TEST_CASE("doubtful templates are named field by field") {
  CHECK(findings(MachineBench(), R"({
      "metaData": {
        "strings": [{"key": "a", "value": "1"}, {"key": "providerid", "value": "x"}],
        "namespaces": [{"key": "a"}],
        "dnsServersFromPool": [{"key": "dns", "name": "green"}],
        "fromLabels": [{"key": "l", "object": "machine", "label": "row"}],
        "fromAnnotations": [{"key": "n", "object": "machine", "annotation": "who"}]},
      "networkData": {
        "links": {"bonds": [{"id": "bond0"}, {"id": "bond1", "bondLinks": ["eth9"]}],
                  "vlans": [{"id": "v", "vlanID": 1, "vlanLink": "bond7"}]},
        "networks": {"ipv4DHCP": [{"id": "n", "link": "eth0"}]}}})") ==
        std::vector<std::string>{
            R"(metaData.strings[0].key "a": is given before; this one wins)",
            R"(metaData.strings[1].key "providerid": is always set by us)",
            R"(metaData.dnsServersFromPool[0] "dns": is claimed, but renders nothing)",
            R"(metaData.fromLabels[0].label "row": the machine has no such label; renders "")",
            R"(metaData.fromAnnotations[0].annotation "who": the machine has no such annotation; renders "")",
            R"(networkData.links.bonds[0].bondLinks "bond0": a bond without members)",
            R"(networkData.links.bonds[1].bondLinks[0] "eth9": no link has this id)",
            R"(networkData.links.vlans[0].vlanLink "bond7": no link has this id)",
            R"(networkData.networks.ipv4DHCP[0].link "eth0": no link has this id)"});
}

TEST_CASE("a sound template has no findings") {
  CHECK(findings(MachineBench(), R"({"networkData": {
      "links": {"ethernets": [{"id": "eth0", "type": "phy"}], "vlans": [{"id": "v", "vlanID": 1, "vlanLink": "eth0"}]},
      "networks": {"ipv4DHCP": [{"id": "n", "link": "v"}]}}})")
            .empty());
}
