// Templates rendered for a machine (spec/capm3.md §16.4, §17). Upstream's own answers are in tests/vectors/render.cpp;
// here stands what a template writer is told, and what upstream has no answer to.
#include "cloudinit/netmask.hpp"
#include "tests/cloudinit/machine_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using cloudinit::MachineBench;

TEST_CASE("§17.1 meta data is a flat mapping, and providerid is always ours") {
  CHECK(MachineBench().metaData(R"({
      "strings": [{"key": "role", "value": "worker"}, {"key": "providerid", "value": "mine"}],
      "objectNames": [{"key": "name", "object": "machine"}],
      "indexes": [{"key": "idx", "offset": 10, "step": 2, "prefix": "ab", "suffix": "cd"}],
      "prefixesFromPool": [{"key": "cidr", "name": "green"}],
      "fromHostInterfaces": [{"key": "mac", "interface": "eth0"}, {"key": "boot", "fromBootMAC": true}],
      "fromLabels": [{"key": "rack", "object": "machine", "label": "rack"}]})") ==
        "boot: \"52:54:00:00:00:09\"\ncidr: \"24\"\nidx: ab24cd\nmac: \"52:54:00:00:00:01\"\nname: machine-a\n"
        "providerid: metal3/host-3/m3m-a\nrack: r12\nrole: worker\n");
}

TEST_CASE("§17.1, §21 Q23 each source gives its value, a later one wins, and DNS servers none") {
  MachineBench bench;
  bench.machine.annotations = {{"slot", "4"}};
  struct Row {
    std::string wanted, line;
  };
  for (const auto& row : std::vector<Row>{
           {R"("fromHostInterfaces": [{"key": "k", "fromBootMAC": true}])", "k: \"52:54:00:00:00:09\"\n"},
           {R"("fromHostInterfaces": [{"key": "k", "interface": "eth0"}])", "k: \"52:54:00:00:00:01\"\n"},
           {R"("ipAddressesFromPool": [{"key": "k", "name": "green"}])", "k: 192.168.0.14\n"},
           {R"("prefixesFromPool": [{"key": "k", "name": "green"}])", "k: \"24\"\n"},
           {R"("gatewaysFromPool": [{"key": "k", "name": "green"}])", "k: 192.168.0.1\n"},
           {R"("gatewaysFromPool": [{"key": "k", "name": "bare"}])", "k: \"\"\n"},
           {R"("indexes": [{"key": "k"}])", "k: \"7\"\n"},
           {R"("indexes": [{"key": "k", "offset": 3, "step": 2, "prefix": "a", "suffix": "z"}])", "k: a17z\n"},
           {R"("namespaces": [{"key": "k"}])", "k: metal3\n"},
           {R"("objectNames": [{"key": "k", "object": "Metal3Machine"}])", "k: m3m-a\n"},
           {R"("objectNames": [{"key": "k", "object": "machine"}])", "k: machine-a\n"},
           {R"("objectNames": [{"key": "k", "object": "baremetalhost"}])", "k: host-3\n"},
           {R"("fromLabels": [{"key": "k", "object": "machine", "label": "rack"}])", "k: r12\n"},
           {R"("fromLabels": [{"key": "k", "object": "machine", "label": "none"}])", "k: \"\"\n"},
           {R"("fromAnnotations": [{"key": "k", "object": "metal3machine", "annotation": "pool"}])", "k: green\n"},
           {R"("fromAnnotations": [{"key": "k", "object": "machine", "annotation": "none"}])", "k: \"\"\n"},
           {R"("strings": [{"key": "k", "value": "literal"}])", "k: literal\n"},
           {R"("dnsServersFromPool": [{"key": "k", "name": "green"}])", ""},
           {R"("strings": [{"key": "k", "value": "last"}], "namespaces": [{"key": "k"}])", "k: last\n"},
           {R"("namespaces": [{"key": "k"}], "indexes": [{"key": "k"}])", "k: metal3\n"},
       }) {
    INFO(row.wanted);
    CHECK(bench.metaData("{" + row.wanted + "}") == row.line + "providerid: metal3/host-3/m3m-a\n");
  }
}

TEST_CASE("§16.4, §21 Q22 an address without DNS servers and prefix gives none") {
  const auto text = MachineBench().networkData(R"({
      "links": {"ethernets": [{"type": "phy", "id": "eth0", "mtu": 1500, "macAddress": {"fromHostInterface": "eth0"}}]},
      "networks": {"ipv4": [{"id": "net0", "link": "eth0", "fromPoolRef": {"name": "bare"}, "routes": [
          {"network": "0.0.0.0", "gateway": {"fromPoolRef": {"name": "bare"}},
           "services": {"dnsFromIPPool": "bare"}}]}]}})");
  CHECK(text.find("ip_address: 10.0.0.7") != std::string::npos);
  CHECK(text.find("    services: []\n") != std::string::npos);
  CHECK(text.find("  netmask: \"\"\n") != std::string::npos);
  CHECK(text.find("  - gateway: \"\"\n    netmask: 0.0.0.0\n") != std::string::npos);
}

TEST_CASE("§17.2 an empty network template still has its three lists") {
  CHECK(MachineBench().networkData("{}") == "links: []\nnetworks: []\nservices: []\n");
}

TEST_CASE("§17.2 a network is rendered from its pool, a route with its gateway") {
  CHECK(MachineBench().networkData(R"({
      "links": {"ethernets": [{"type": "phy", "id": "eth0", "mtu": 1500, "macAddress": {"fromHostInterface": "eth0"}}]},
      "networks": {"ipv4": [{"id": "net0", "link": "eth0",
          "fromPoolAnnotation": {"object": "metal3Machine", "annotation": "pool"},
          "routes": [{"network": "0.0.0.0", "gateway": {"fromIPPool": "green"}, "services": {"dnsFromIPPool": "green"}}]}]},
      "services": {"dns": ["9.9.9.9"]}})") ==
        R"(links:
- ethernet_mac_address: "52:54:00:00:00:01"
  id: eth0
  mtu: 1500
  type: phy
networks:
- id: net0
  ip_address: 192.168.0.14
  link: eth0
  netmask: 255.255.255.0
  routes:
  - gateway: 192.168.0.1
    netmask: 0.0.0.0
    network: 0.0.0.0
    services:
    - address: 8.8.8.8
      type: dns
  type: ipv4
services:
- address: 9.9.9.9
  type: dns
)");
}

TEST_CASE("a complaint names field and value") {
  const MachineBench bench;
  struct Row {
    std::string wanted, complaint;
  };
  const std::vector<Row> metaData{
      {R"({"fromHostInterfaces": [{"key": "a", "interface": "eth0"}, {"key": "m", "interface": "eth7"}]})",
       R"(metaData.fromHostInterfaces[1].interface "eth7": NIC name not found eth7)"},
      {R"({"ipAddressesFromPool": [{"key": "a", "name": "red"}]})",
       R"(metaData.ipAddressesFromPool[0].name "red": pool not found in cache)"},
      {R"({"prefixesFromPool": [{"key": "a", "name": "bare"}]})",
       R"(metaData.prefixesFromPool[0].name "bare": the pool gives no prefix)"},
      {R"({"objectNames": [{"key": "a", "object": "pod"}]})",
       R"(metaData.objectNames[0].object "pod": unknown object type)"},
      {R"({"indexes": [{"key": "a", "offset": 2147483647}]})",
       R"(metaData.indexes[0] "2147483654": offset + index * step does not fit 32 bits)"},
      {R"({"strings": [{"key": "a", "value": "x\u007f"}]})",
       R"(metaData.a "U+007F at byte 1": yaml: control characters are not allowed)"}};
  for (const Row& row : metaData) CHECK(bench.metaDataComplaint(row.wanted) == row.complaint);

  const std::vector<Row> networkData{
      {R"({"links": {"vlans": [{"id": "v", "vlanLink": "eth0"}]}})",
       R"(networkData.links.vlans[0].vlanID: renderNetworkLinks: VLAN link "v" is missing required VlanID)"},
      {R"({"links": {"ethernets": [{"id": "e", "macAddress": {"string": "52:54"}}]}})",
       R"(networkData.links.ethernets[0].macAddress "52:54": bad MAC address: 52:54)"},
      {R"({"links": {"bonds": [{"id": "b", "parameters": [{"name": "mode", "value": 1}]}]}})",
       R"(networkData.links.bonds[0].parameters: illegal params "mode" into bond params blob into link id=b)"},
      {R"({"networks": {"ipv4": [{"id": "n", "ipAddressFromIPPool": "red"}]}})",
       R"(networkData.networks.ipv4[0].ipAddressFromIPPool "red": pool not found in cache)"},
      {R"({"networks": {"ipv6": [{"id": "n", "fromPoolRef": {"name": "six"}, "routes": [{"network": "::", "prefix": 129}]}]}})",
       R"(networkData.networks.ipv6[0].routes[0].prefix "129": no prefix of an IPv6 network)"},
      {R"({"networks": {"ipv4DHCP": [{"id": "n", "routes": [{"gateway": {"fromIPPool": "red"}}]}]}})",
       R"(networkData.networks.ipv4DHCP[0].routes[0].gateway.fromIPPool "red": failed to fetch pool from cache)"}};
  for (const Row& row : networkData) CHECK(bench.networkDataComplaint(row.wanted) == row.complaint);
}

TEST_CASE("a prefix that is none of its family is refused wherever it comes from") {
  MachineBench bench;
  bench.pools["wide"] = {.address = "10.0.0.7", .prefix = 33};
  bench.pools["wider"] = {.address = "fd00::7", .prefix = 129};
  CHECK(bench.networkDataComplaint(R"({"networks": {"ipv4": [{"id": "n", "fromPoolRef": {"name": "wide"}}]}})") ==
        R"(networkData.networks.ipv4[0].prefix of the pool "33": no prefix of an IPv4 network)");
  CHECK(bench.networkDataComplaint(R"({"networks": {"ipv6": [{"id": "n", "fromPoolRef": {"name": "wider"}}]}})") ==
        R"(networkData.networks.ipv6[0].prefix of the pool "129": no prefix of an IPv6 network)");
  CHECK(bench.networkDataComplaint(
            R"({"networks": {"ipv4DHCP": [{"id": "n", "routes": [{"network": "10.0.0.0", "prefix": -1}]}]}})") ==
        R"(networkData.networks.ipv4DHCP[0].routes[0].prefix "-1": no prefix of an IPv4 network)");
}

TEST_CASE("control characters are escaped, in keys too; the one that YAML has no escape for here is refused") {
  const MachineBench bench;
  CHECK(bench.metaData(R"({"strings": [{"key": "a\u0001", "value": "\u001b[0m"}]})") ==
        "\"a\\x01\": \"\\e[0m\"\nproviderid: metal3/host-3/m3m-a\n");
  CHECK(bench.networkData(R"({"services": {"dns": ["9.9.9.9\u0000"]}})") ==
        "links: []\nnetworks: []\nservices:\n- address: \"9.9.9.9\\0\"\n  type: dns\n");
  CHECK(bench.networkDataComplaint(R"({"services": {"dns": ["9.9.9.9\u007f"]}})") ==
        R"(networkData.services[0].address "U+007F at byte 7": yaml: control characters are not allowed)");
}

TEST_CASE("a template of ten megabytes is rendered or refused, key by key") {
  constexpr int kEntries = 100'000;
  api::capm3::v1beta2::MetaData wanted;
  for (int i = 0; i < kEntries; ++i)
    wanted.strings.push_back({fmt::format("key-{}-{}", i, std::string(40, 'k')), std::string(50, 'v')});
  const MachineBench bench;
  const std::string rendered = cloudinit::renderMetaData(wanted, bench.snapshot());
  CHECK(std::ranges::count(rendered, '\n') == kEntries + 1);
  wanted.fromHostInterfaces.push_back({.key = "mac", .interface = "eth7"});
  CHECK_THROWS_AS(cloudinit::renderMetaData(wanted, bench.snapshot()), cloudinit::RenderError);
}

TEST_CASE("an object that is not there is an error, where upstream crashes") {
  MachineBench bench;
  cloudinit::Snapshot nothing{.data = bench.data, .pools = bench.pools};
  using api::capm3::v1beta2::MetaData;
  CHECK_THROWS_AS(cloudinit::renderMetaData(MetaData{}, nothing), cloudinit::RenderError);
  for (const std::string object : {"machine", "metal3machine", "baremetalhost"}) {
    CHECK_THROWS_AS(cloudinit::renderMetaData({.objectNames = {{"k", object}}}, nothing), cloudinit::RenderError);
    CHECK_THROWS_AS(cloudinit::renderMetaData({.fromLabels = {{"k", object, "l"}}}, nothing), cloudinit::RenderError);
    CHECK_THROWS_AS(cloudinit::renderMetaData({.fromAnnotations = {{"k", object, "a"}}}, nothing),
                    cloudinit::RenderError);
  }
  CHECK_THROWS_AS(cloudinit::renderMetaData({.fromHostInterfaces = {{.key = "k", .fromBootMAC = true}}}, nothing),
                  cloudinit::RenderError);
}

TEST_CASE("a value of ten megabytes is rendered, a complaint about one stays a line") {
  const std::string large(10u << 20, 'x');
  const MachineBench bench;
  const auto rendered = cloudinit::renderMetaData({.strings = {{"k", large}}}, bench.snapshot());
  CHECK(rendered.size() > large.size());
  try {
    static_cast<void>(cloudinit::renderMetaData({.fromLabels = {{"k", large, "l"}}}, bench.snapshot()));
    FAIL("was rendered");
  } catch (const cloudinit::RenderError& error) {
    CHECK(std::string_view(error.what()).size() < 200);
  }
}

TEST_CASE("§17.2 netmasks of every prefix") {
  CHECK(cloudinit::netmaskV4(0) == "0.0.0.0");
  CHECK(cloudinit::netmaskV4(9) == "255.128.0.0");
  CHECK(cloudinit::netmaskV4(32) == "255.255.255.255");
  CHECK_FALSE(cloudinit::netmaskV4(33));
  CHECK_FALSE(cloudinit::netmaskV4(-1));
  CHECK(cloudinit::netmaskV6(0) == "::");
  CHECK(cloudinit::netmaskV6(3) == "e000::");
  CHECK(cloudinit::netmaskV6(64) == "ffff:ffff:ffff:ffff::");
  CHECK(cloudinit::netmaskV6(112) == "ffff:ffff:ffff:ffff:ffff:ffff:ffff:0");
  CHECK(cloudinit::netmaskV6(128) == "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
  CHECK_FALSE(cloudinit::netmaskV6(129));
}
