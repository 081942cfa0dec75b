// What ingotctl makes of a machine's status is made of what the controller really writes.
#include "cli/decide/retry_plan.hpp"
#include "cli/show/why_text.hpp"
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

cli::MachinePicture pictureOf(MachineSite& site) {
  cli::MachinePicture picture{.machine = site.machine("m1")};
  picture.owner = site.find<Machine>("m1");
  picture.claim = site.find<Metal3DataClaim>("m1");
  if (const std::string host = site.hostOf("m1"); !host.empty()) picture.host = site.find<BareMetalHost>(host);
  return picture;
}

std::string told(MachineSite& site) { return cli::whyMachine(pictureOf(site), site.loop.clock.wall()); }

}  // namespace

TEST_CASE("that no host fits is told with what would help", "[machine][told]") {
  MachineSite site;
  site.addHost("h1", {{"rack", "a"}});
  site.addHost("h2", {{"rack", "b"}});
  site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"capm3.metal3.io/unhealthy":"x"}}})");
  site.addMachine("m1", [](Metal3Machine& machine) { machine.spec.hostSelector.emplace().matchLabels["rack"] = "a"; });
  site.settle();
  CHECK_THAT(told(site),
             Contains("machine m1: waits for a host, for ") &&
                 Contains("\n  no available host found (2 hosts: 1 marked unhealthy, 1 without label rack=a)\n") &&
                 Contains("next: the first host that fits is taken at once") && Contains("ingotctl retry host NAME"));
}

TEST_CASE("a claim that is refused is not taken for a lack of hosts", "[machine][told]") {
  MachineSite site;
  site.denied = "/baremetalhosts/h1";
  site.denials = 1000;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  CHECK_THAT(told(site), Contains("machine m1: waits for its host, for ") &&
                             Contains("\n  the claim of host h1 was refused: ") &&
                             Contains("next: the coordinator tries again by itself"));
}

TEST_CASE("that a host cannot be told what to run is told before what the host waits for", "[machine][told]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  site.denied = "/baremetalhosts/h1";
  site.denials = 1000;
  site.renderData("m1");
  CHECK_THAT(told(site), Contains("machine m1: waits for host h1 to be told what to run, for ") &&
                             Contains("not now") && !Contains("let a machine claim it"));
}

TEST_CASE("a retry of a machine is made at once, and its failures are forgotten", "[machine][told]") {
  MachineSite site;
  site.denied = "/baremetalhosts/h1";
  site.denials = 1000;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle(20min);  // its back-off has grown to minutes
  REQUIRE(site.consumer("h1").empty());
  site.denials = 1;  // the first attempt fails as well, and what is begun anew is a short wait
  const auto plan = cli::planRetry(pictureOf(site), site.loop.clock.wall());
  REQUIRE(plan.refusal.empty());
  site.patch<Metal3Machine>("m1", json::serialize(plan.patch));
  site.settle(1s);
  CHECK(site.denials == 0);
  CHECK(site.consumer("h1") == "m1");
}
