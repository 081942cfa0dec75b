// spec/capm3.md §8.5 against an API: what there is to say may be longer than a condition may be.
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string kEndless(40'000, 'x');

// Of 63 characters each, as long as the value of a label may be.
std::vector<std::string> valuesOf(char first) {
  std::vector<std::string> values;
  for (int i = 0; i < 500; ++i) values.push_back(fmt::format("{}{:062}", first, i));
  return values;
}

std::function<void(Metal3Machine&)> askingFor(const std::string& key, std::vector<std::string> values) {
  return [=](Metal3Machine& machine) {
    if (!machine.spec.hostSelector) machine.spec.hostSelector.emplace();
    machine.spec.hostSelector->matchExpressions.push_back({.key = key, .operator_ = "in", .values = values});
  };
}

}  // namespace

TEST_CASE("§8.5 a machine that asks for one of hundreds of hosts says why it has none", "[machine][texts]") {
  MachineSite site;
  site.addHost("h1", {{"rack", "other"}});
  const auto racks = valuesOf('r');
  site.addMachine("m1", askingFor("rack", racks));
  site.settle();
  CHECK_THAT(site.condition("m1", kAssociate),
             Catch::Contains(fmt::format("no available host found (1 host: 1 without label rack in ({},{},{} and 497 "
                                         "others))",
                                         racks[0], racks[1], racks[2])));
  const auto written = site.writesTo("/metal3machines/m1").size();
  site.settle(3min);
  CHECK(site.writesTo("/metal3machines/m1").size() == written);
}

TEST_CASE("§8.5 a machine whose wishes are long comes into service", "[machine][texts]") {
  MachineSite site;
  const auto racks = valuesOf('r'), rows = valuesOf('w');
  site.addHost("h1", {{"rack", racks[7]}, {"row", rows[7]}});
  site.addHost("h2", {{"rack", "other"}});
  site.addHost("h3", {{"rack", racks[7]}});
  site.addMachine("m1", [&](Metal3Machine& machine) {
    askingFor("rack", racks)(machine);
    askingFor("row", rows)(machine);
  });
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("host h1, the only one that fits (3 hosts: "));
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  CHECK(site.isProvisioned("m1"));
}

TEST_CASE("§8.5 of a selector that makes no sense a machine shows the beginning", "[machine][texts]") {
  MachineSite site;
  site.addHost("h1");
  std::vector<std::string> wrong;
  for (int i = 0; i < 500; ++i) wrong.push_back(fmt::format("no label {}", i));
  site.addMachine("m1", askingFor("rack", wrong));
  site.settle();
  CHECK_THAT(site.condition("m1", kAssociate),
             Catch::StartsWith("False/AssociateBareMetalHostFailed: ") && Catch::Contains("values[0][rack]"));
  CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/AssociateBMHFailed");
}

TEST_CASE("§8.4, §8.5 of an endless error of its host a machine shows the beginning", "[machine][texts]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.state("h1", "provisioning");
  site.patchStatus<BareMetalHost>(
      "h1", fmt::format(R"({{"status":{{"errorType":"provisioning error","errorMessage":"{}"}}}})", kEndless));
  site.settle(20s);
  const std::string error = "host h1 has a provisioning error: xxx";
  CHECK_THAT(site.condition("m1", kMetaData),
             Catch::StartsWith("False/BareMetalHostNotProvisioned: ") && Catch::Contains(error));
  site.removeMachine("m1");
  site.settle();
  CHECK_THAT(site.condition("m1", kMetaData),
             Catch::StartsWith("False/Deleting: deprovisioning BareMetalHost, requeuing: ") && Catch::Contains("xxx"));
  CHECK(site.legacyCondition("m1", "KubernetesNodeReady") == "False/Deleting");
}
