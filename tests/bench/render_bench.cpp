// metaData and networkData of many nodes from one template, one after the other: milliseconds of CPU time.
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "cloudinit/meta_data.hpp"
#include "cloudinit/network_data.hpp"
#include "tests/bench/cpu_clock.hpp"

#include <array>
#include <cstdio>

namespace {

using namespace ingot;

constexpr int kNodes = 1000;
constexpr double kGoalMilliseconds = 50;

constexpr std::string_view kTemplate = R"({
  "metaData": {
    "strings": [{"key": "role", "value": "worker"}, {"key": "ds.meta_data.local_hostname", "value": "{{ ds.meta_data.name }}"}],
    "objectNames": [{"key": "name", "object": "machine"}, {"key": "local-hostname", "object": "machine"},
                    {"key": "host", "object": "baremetalhost"}],
    "indexes": [{"key": "index", "offset": 10, "step": 2, "prefix": "node-"}],
    "ipAddressesFromPool": [{"key": "ip", "name": "provisioning"}],
    "prefixesFromPool": [{"key": "prefix", "name": "provisioning"}],
    "gatewaysFromPool": [{"key": "gateway", "name": "provisioning"}],
    "fromHostInterfaces": [{"key": "mac", "interface": "eth0"}],
    "fromLabels": [{"key": "rack", "object": "baremetalhost", "label": "rack"}]},
  "networkData": {
    "links": {
      "ethernets": [{"type": "phy", "id": "eth0", "mtu": 1500, "macAddress": {"fromHostInterface": "eth0"}},
                    {"type": "phy", "id": "eth1", "mtu": 1500, "macAddress": {"fromHostInterface": "eth1"}}],
      "bonds": [{"id": "bond0", "bondMode": "802.3ad", "bondXmitHashPolicy": "layer3+4", "mtu": 1500,
                 "bondLinks": ["eth0", "eth1"], "macAddress": {"fromHostInterface": "eth0"},
                 "parameters": [{"name": "lacp_rate", "value": "fast"}]}],
      "vlans": [{"id": "vlan1", "mtu": 1500, "vlanID": 100, "vlanLink": "bond0",
                 "macAddress": {"fromHostInterface": "eth0"}}]},
    "networks": {
      "ipv4": [{"id": "net0", "link": "vlan1", "ipAddressFromIPPool": "provisioning",
                "routes": [{"network": "0.0.0.0", "prefix": 0, "gateway": {"fromIPPool": "provisioning"},
                            "services": {"dns": ["8.8.8.8"], "dnsFromIPPool": "provisioning"}}]}],
      "ipv6": [{"id": "net1", "link": "vlan1", "ipAddressFromIPPool": "six",
                "routes": [{"network": "::", "prefix": 0, "gateway": {"fromIPPool": "six"}}]}]},
    "services": {"dns": ["8.8.4.4", "2001:4860:4860::8888"]}}})";

struct Node {
  api::capm3::v1beta2::Metal3Data data;
  kube::ObjectMeta machine, metal3Machine;
  api::BareMetalHost host;
  cloudinit::PoolAddresses pools;

  explicit Node(int number) {
    data.metadata.namespace_ = machine.namespace_ = metal3Machine.namespace_ = host.metadata.namespace_ = "metal3";
    data.spec.index = number;
    machine.name = fmt::format("workers-{}", number);
    metal3Machine.name = fmt::format("workers-template-{}", number);
    host.metadata.name = fmt::format("rack-{}-slot-{}", number / 40, number % 40);
    host.metadata.labels["rack"] = fmt::format("r{}", number / 40);
    host.status.hardware.emplace();
    for (int nic = 0; nic < 2; ++nic)
      host.status.hardware->nics.push_back(
          {.name = fmt::format("eth{}", nic),
           .mac = fmt::format("52:54:00:{:02x}:{:02x}:0{}", number >> 8, number & 255, nic)});
    pools["provisioning"] = {.address = fmt::format("172.22.{}.{}", number >> 8, number & 255),
                             .prefix = 16,
                             .gateway = "172.22.0.1",
                             .dnsServers = {"172.22.0.2"}};
    pools["six"] = {.address = fmt::format("fd00::{:x}", number), .prefix = 64, .gateway = "fd00::1"};
  }
};

double millisecondsFor(const api::capm3::v1beta2::Metal3DataTemplateSpec& wanted, const std::vector<Node>& nodes,
                       std::size_t& bytes) {
  const auto begin = tests::CpuClock::now();
  for (const Node& node : nodes) {
    const cloudinit::Snapshot snapshot{.data = node.data,
                                       .machine = &node.machine,
                                       .metal3Machine = &node.metal3Machine,
                                       .host = &node.host,
                                       .pools = node.pools};
    bytes += cloudinit::renderMetaData(*wanted.metaData, snapshot).size();
    bytes += cloudinit::renderNetworkData(*wanted.networkData, snapshot).size();
  }
  return tests::CpuClock::millisecondsSince(begin);
}

}  // namespace

int main() {
  const auto wanted = json::decode<api::capm3::v1beta2::Metal3DataTemplateSpec>(json::parse(kTemplate));
  std::vector<Node> nodes;
  nodes.reserve(kNodes);
  for (int number = 0; number < kNodes; ++number) nodes.emplace_back(number);

  std::array<double, 9> runs{};
  std::size_t bytes = 0;
  for (double& run : runs) run = millisecondsFor(wanted, nodes, bytes);
  std::ranges::sort(runs);
  const double median = runs[runs.size() / 2];
  std::printf("render: %d nodes, %.1f ms of CPU (median of %zu runs, %.1f to %.1f), %.0f bytes a node; goal %.0f ms\n",
              kNodes, median, runs.size(), runs.front(), runs.back(),
              static_cast<double>(bytes) / static_cast<double>(runs.size()) / kNodes, kGoalMilliseconds);
  return median <= kGoalMilliseconds ? 0 : 1;
}
