#include "sim/firstboot/first_boot.hpp"

#include "sim/firstboot/error.hpp"
#include "sim/firstboot/membership.hpp"
#include "sim/firstboot/network_data.hpp"
#include "tests/sim/firstboot/user_data.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::sim::firstboot;
using Catch::Contains;

namespace {

Membership member(const std::string& userData) {
  auto found = membershipOf(readFirstBoot(tests::drive(userData)));
  REQUIRE(found);
  return std::move(*found);
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), instead);
}

const std::string authorityFiles =
    "- {path: /etc/kubernetes/pki/ca.crt, content: CERTIFICATE}\n"
    "- {path: /etc/kubernetes/pki/ca.key, content: KEY}\n";

json::Value network(const std::string& address) {
  return {
      {"links", {{{"id", "eth0"}}}},
      {"networks", json::Array{{{"id", "net"}, {"link", "eth0"}, {"ip_address", address}, {"gateway", "10.9.0.1"}}}}};
}

}  // namespace

TEST_CASE("the first machine of a control plane is asked to init") {
  const auto first = member(tests::initData);
  CHECK(first.serverUrl == "https://10.9.0.5:6443");
  CHECK(first.isFirst());
  CHECK(first.isControlPlane());
  CHECK(first.authority->certificatePem == "CERTIFICATE\n");
  CHECK(first.authority->privateKeyPem.reveal() == "KEY\n");
  CHECK(first.node.name == "edge-abc");
  CHECK(first.node.providerId == "metal3://default/host-0/edge-abc");
  CHECK(first.node.labels == std::map<std::string, std::string>{{"metal3.io/uuid", "u-1"}, {"tier", "one"}});
  CHECK(json::serialize(first.node.taints) ==
        R"([{"key":"node-role.kubernetes.io/control-plane","effect":"NoSchedule"}])");
  CHECK(json::textAt(first.clusterConfiguration, {"kubernetesVersion"}) == "v1.36.3");
}

TEST_CASE("taints are those written down, and an empty list is none") {
  CHECK(member(with(tests::initData, "taints: null", "taints: []")).node.taints.empty());
  const auto joining =
      member(tests::joinData("        taints: [{key: a, value: b, effect: NoExecute}]\n"
                             "        kubeletExtraArgs: {register-with-taints: 'c=d:NoSchedule,e:NoExecute'}\n"));
  CHECK(
      json::serialize(joining.node.taints) ==
      R"([{"key":"a","value":"b","effect":"NoExecute"},{"key":"c","effect":"NoSchedule","value":"d"},{"key":"e","effect":"NoExecute"}])");
}

TEST_CASE("a worker joins with its token, and with the arguments of older configurations") {
  const auto worker =
      member(tests::joinData("        kubeletExtraArgs: {node-labels: 'a=b', provider-id: 'metal3://x'}\n"));
  CHECK_FALSE(worker.isFirst());
  CHECK_FALSE(worker.isControlPlane());
  CHECK(worker.discovery->token.reveal() == "abcdef.0123456789abcdef");
  CHECK(worker.discovery->caCertHashes == std::vector<std::string>{"sha256:0123"});
  CHECK(worker.node.labels.at("a") == "b");
  CHECK(worker.node.providerId == "metal3://x");
  CHECK(worker.node.taints.empty());
}

TEST_CASE("a control plane that joins finds the authority of its files in whatever folder they are") {
  const auto written = [](const std::string& folder, const std::string& what) {
    return fmt::format("- {{path: {0}/ca.crt, content: {1}}}\n- {{path: {0}/ca.key, content: {1} KEY}}\n", folder,
                       what);
  };
  const std::string asked = "      controlPlane: {}\n";
  const std::string files = written("/var/lib/k8s/pki", "OURS") + written("/var/lib/k8s/pki/etcd", "ETCD") +
                            "- {path: /var/lib/k8s/pki/front-proxy-ca.key, content: PROXY}\n";
  const auto joining = member(tests::joinData(asked, files));
  CHECK(joining.authority->certificatePem == "OURS");
  CHECK(joining.authority->privateKeyPem.reveal() == "OURS KEY");
  CHECK_THROWS_WITH(member(tests::joinData(asked, files + written("/opt/pki", "OTHER"))),
                    Contains("more than one folder: /opt/pki, /var/lib/k8s/pki"));
}

TEST_CASE("a control plane that joins uses the authority of its files") {
  const auto joining = member(tests::joinData("      controlPlane:\n        localAPIEndpoint: {}\n", authorityFiles));
  CHECK(joining.isControlPlane());
  CHECK_FALSE(joining.isFirst());
  CHECK(json::textAt(joining.node.taints.at(0), {"key"}) == controlPlaneRole);
}

TEST_CASE("an endpoint without a port has kubeadm's") {
  CHECK(member(with(tests::initData, "10.9.0.5:6443", "cluster.example")).serverUrl == "https://cluster.example:6443");
  CHECK(member(with(tests::initData, "10.9.0.5:6443", "'[fd00::5]'")).serverUrl == "https://[fd00::5]:6443");
}

TEST_CASE("kubeadm is found in a longer command, and its absence is no error") {
  const auto command = [](const std::string& line) {
    return readFirstBoot(tests::drive(with(tests::initData, "'kubeadm init --config /run/kubeadm/kubeadm.yaml ", line)))
        .kubeadm;
  };
  CHECK(command("'A=1 sudo /usr/bin/kubeadm -v=5 init --skip-phases=x --config=/run/kubeadm/kubeadm.yaml ")->verb ==
        KubeadmVerb::init);
  CHECK(command("bash -c 'kubeadm init --config /run/kubeadm/kubeadm.yaml ")->verb == KubeadmVerb::init);
  CHECK(
      command("'kubeadm init --config /run/kubeadm/kubeadm.yaml || kubeadm init --config /run/kubeadm/kubeadm.yaml "));
  for (const std::string before :
       {"'bash -lc \"kubeadm init --config /run/kubeadm/kubeadm.yaml\" ",
        "'sh -ec \"kubeadm init --config /run/kubeadm/kubeadm.yaml\" ",
        "'bash -e --norc -o pipefail -c \"kubeadm init --config /run/kubeadm/kubeadm.yaml\" ",
        "'/bin/bash -ceuo pipefail \"if ! kubeadm init --config /run/kubeadm/kubeadm.yaml; then false; fi\" ",
        "[bash, -lc, kubeadm init --config /run/kubeadm/kubeadm.yaml] #'",
        "'sudo -E -u root timeout -k 1 5m env A=1 kubeadm init --config /run/kubeadm/kubeadm.yaml "}) {
    INFO(before);
    CHECK(command(before));
  }
  for (const std::string before :
       {"'echo kubeadm join done ", "'sudo echo kubeadm init ", "'ssh -c \"kubeadm init --config /x\" ",
        "'bash -x \"kubeadm init --config /x\" ", "'logger -t kubeadm init "}) {
    INFO(before);
    CHECK_FALSE(command(before));
  }
  CHECK_FALSE(command("'kubeadm init phase preflight --config /run/kubeadm/kubeadm.yaml "));
  CHECK_FALSE(command("'echo kubeadm was here "));
  CHECK_FALSE(membershipOf(readFirstBoot(tests::drive(""))));
}

TEST_CASE("what is missing is named") {
  struct Row {
    std::string userData, says;
  };
  const Row rows[] = {
      {with(tests::initData, "--config /run/kubeadm/kubeadm.yaml", ""), "kubeadm init has no --config"},
      {with(tests::initData, "--config /run", "--config /etc"), "write_files writes no /etc/kubeadm/kubeadm.yaml"},
      {with(tests::initData, "kind: ClusterConfiguration", "kind: Other"), "kubeadm.yaml has no ClusterConfiguration"},
      {with(tests::initData, "controlPlaneEndpoint", "other"), "ClusterConfiguration has no controlPlaneEndpoint"},
      {with(tests::initData, "pki/ca.key", "pki/sa.key"), "write_files writes no /etc/kubernetes/pki/ca.key"},
      {with(tests::joinData(), "token: ", "other: "), "JoinConfiguration has no discovery.bootstrapToken.token"},
      {with(tests::joinData(), "caCertHashes", "others"), "neither discovery.bootstrapToken.caCertHashes nor"},
      {tests::joinData("      controlPlane: {}\n"), "write_files writes no /etc/kubernetes/pki/ca.crt"},
      {with(tests::joinData(), "runcmd:\n",
            "runcmd:\n  - kubeadm init --config /run/kubeadm/kubeadm-join-config.yaml\n"),
       "calls kubeadm for two things"},
  };
  for (const auto& row : rows) {
    INFO(row.says);
    CHECK_THROWS_WITH(membershipOf(readFirstBoot(tests::drive(row.userData))), Contains(row.says));
  }
}

TEST_CASE("names that the template does not know are told") {
  const auto boot = readFirstBoot(tests::drive(with(tests::initData, "meta_data.providerid", "meta_data.providerID")));
  CHECK(boot.missingNames == std::vector<std::string>{"providerID"});
}

TEST_CASE("network data names static addresses on links that are there") {
  CHECK(addressesIn(nullptr).empty());
  CHECK(addressesIn(network("10.9.0.10/24")) == std::vector<std::string>{"10.9.0.10"});
  CHECK_THROWS_WITH(addressesIn(network("10.9.0.300")), Contains("has the address '10.9.0.300', which is none"));
  auto loose = network("10.9.0.10");
  loose.as_object()["links"] = json::Array{};
  CHECK_THROWS_WITH(addressesIn(loose), Contains("network net is on link 'eth0', which is not there"));
}

TEST_CASE("meta data and network data agree on the address, where both name one") {
  CHECK_NOTHROW(checkAddresses({{"address", "10.9.0.10"}, {"gateway", "10.9.0.1"}}, network("10.9.0.10")));
  CHECK_NOTHROW(checkAddresses({{"gateway", "10.9.0.1"}, {"six", "fd00::1"}}, network("10.9.0.10")));
  CHECK_NOTHROW(checkAddresses({{"address", "10.9.0.11"}}, nullptr));
  CHECK_THROWS_WITH(checkAddresses({{"address", "10.9.0.11"}}, network("10.9.0.10")),
                    Contains("the meta data names 10.9.0.11, and the network data gives it 10.9.0.10"));
}
