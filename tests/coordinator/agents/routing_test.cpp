// Which agent serves which host (docs/architecture.md).
#include "coordinator/agents/routing.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot::coordinator::agents;

TEST_CASE("an address lies in a network, or not") {
  const auto [cidr, address, length] = GENERATE(table<std::string, std::string, int>({
      {"10.0.0.0/8", "10.1.2.3", 8},
      {"10.1.2.3", "10.1.2.3", 32},
      {"0.0.0.0/0", "203.0.113.9", 0},
      {"10.0.0.0/9", "10.128.0.1", -1},
      {"10.0.0.128/25", "10.0.0.129", 25},
      {"10.0.0.128/25", "10.0.0.127", -1},
      {"fd00::/8", "fd12::1", 8},
      {"fd00::/8", "10.0.0.1", -1},
      {"10.0.0.0/33", "10.0.0.1", -1},
      {"10.0.0.0/", "10.0.0.1", -1},
      {"10.0.0.0/8x", "10.0.0.1", -1},
      {"rack-7", "10.0.0.1", -1},
      {"10.0.0.0/8", "bmc.example", -1},
      {"", "", -1},
  }));
  CAPTURE(cidr, address);
  CHECK(matchLength(cidr, address).value_or(-1) == length);
}

TEST_CASE(
    "of those approved for the host: the annotation, then the longest network, then labels, then whoever serves "
    "everything") {
  const AgentCandidate wide{.name = "wide", .networks = {"10.0.0.0/8"}},
      narrow{.name = "narrow", .networks = {"10.1.0.0/16"}},
      labelled{.name = "labelled", .hostLabels = {{"rack", "r1"}}}, all{.name = "all", .allHosts = true},
      nothing{.name = "nothing"};
  struct Row {
    HostRoute host;
    std::vector<AgentCandidate> candidates;
    std::string chosen;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {{.uid = "u", .bmcHost = "10.1.0.1"}, {wide, narrow, labelled, all}, "narrow"},
      {{.uid = "u", .bmcHost = "10.2.0.1"}, {wide, narrow, labelled, all}, "wide"},
      {{.uid = "u", .bmcHost = "10.2.0.1", .wantedAgent = "all"}, {wide, narrow, all}, "all"},
      {{.uid = "u", .bmcHost = "10.2.0.1", .wantedAgent = "gone"}, {wide, narrow, all}, ""},
      {{.uid = "u", .bmcHost = "10.1.0.1", .wantedAgent = "wide"}, {wide, narrow, all}, "wide"},
      {{.uid = "u", .bmcHost = "10.2.0.1", .wantedAgent = "narrow"}, {wide, narrow, all}, ""},
      {{.uid = "u", .bmcHost = "10.2.0.1", .wantedAgent = "nothing"}, {nothing, all}, ""},
      {{.uid = "u", .bmcHost = "10.2.0.1"}, {nothing}, ""},
      {{.uid = "u", .bmcHost = "192.0.2.1", .labels = {{"rack", "r1"}}}, {wide, labelled, all}, "labelled"},
      {{.uid = "u", .bmcHost = "192.0.2.1", .labels = {{"rack", "r2"}}}, {wide, labelled, all}, "all"},
      {{.uid = "u", .bmcHost = "192.0.2.1"}, {wide, labelled}, ""},
      {{.uid = "u", .bmcHost = "bmc.example"}, {wide, all}, "all"},
      {{.uid = "u", .bmcHost = "10.1.0.1"}, {}, ""},
  }));
  CHECK(route(row.host, row.candidates).value_or("") == row.chosen);
}

TEST_CASE("one that leaves is passed over for an equal, and keeps what nobody else would serve as well") {
  const AgentCandidate near{.name = "near", .networks = {"10.0.0.0/24"}, .isLeaving = true},
      twin{.name = "twin", .networks = {"10.0.0.0/24"}}, far{.name = "far", .allHosts = true};
  const HostRoute host{.uid = "u", .bmcHost = "10.0.0.7"};
  CHECK(route(host, {near, twin, far}) == "twin");
  CHECK(route(host, {near, far}) == "near");  // it may be back in a second; after its silence it is not asked
  CHECK(route(host, {near}) == "near");
  CHECK(route({.uid = "u", .bmcHost = "10.0.0.7", .wantedAgent = "near"}, {near, far}) == "near");
}

TEST_CASE("agents of one network share its hosts, and only the hosts of a lost one move") {
  const auto agent = [](const std::string& name) { return AgentCandidate{.name = name, .networks = {"10.0.0.0/8"}}; };
  const std::vector<AgentCandidate> three{agent("a"), agent("b"), agent("c")}, two{agent("a"), agent("c")};
  std::map<std::string, int> share;
  for (int i = 0; i < 3000; ++i) {
    const HostRoute host{.uid = fmt::format("9f2c{:04}-11aa", i), .bmcHost = "10.0.0.1"};
    const auto before = route(host, three).value();
    const auto after = route(host, two).value();
    ++share[before];
    if (before != "b") CHECK(after == before);
  }
  for (const auto& [name, hosts] : share) CHECK((hosts > 850 && hosts < 1150));
}
