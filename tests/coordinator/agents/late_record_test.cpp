// Ironic's power record follows what an agent has proved, and nobody waits for that.
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// How long after the BMC did it the host's status shows the power that was wished for.
base::Duration untilShown(Site& site, bool on) {
  site.setOnline("a", on);
  const std::string wanted = on ? "On" : "Off";
  REQUIRE(site.until([&] { return site.bmc("10.0.0.1").powerState == wanted; }, 1min));
  const auto done = site.loop.clock.now();
  REQUIRE(site.until([&] { return site.host("a")->status.poweredOn == on; }, 5min));
  return site.loop.clock.now() - done;
}

std::string recorded(Site& site) { return json::textAt(json::Value(site.ironic.record("metal~a")), {"power_state"}); }

constexpr auto kProof = 5s;  // the agent's reading after the change, and the way here

}  // namespace

TEST_CASE("a power that an agent has proved is shown when it is proved, and Ironic's record follows") {
  Site site;
  restingHost(site);
  for (const bool on : {true, false}) {
    CHECK(untilShown(site, on) <= kProof);
    CHECK(site.until([&] { return recorded(site) == (on ? "power on" : "power off"); }, 30s));
  }
}

TEST_CASE("an Ironic that does not answer, refuses or is busy delays no power that an agent has proved") {
  Site site;
  restingHost(site);
  SECTION("it hangs") {
    site.ironic.failNext("PUT", "/states/power", {.kind = FakeFault::Kind::hang, .delay = 20s}, 3);
  }
  SECTION("it fails") { site.ironic.failNext("PUT", "/states/power", {}, 3); }
  SECTION("its node is locked") { site.ironic.failNext("PUT", "/states/power", {.status = 409}, 3); }
  SECTION("its node cannot be read") {
    site.ironic.failNext("GET", "/nodes/", {.kind = FakeFault::Kind::hang, .delay = 20s}, 1);
  }
  CHECK(untilShown(site, true) <= kProof);
  CHECK(site.until([&] { return recorded(site) == "power on"; }, 3min));
}

TEST_CASE(
    "a correction of Ironic's record that takes long is not taken back, and no agent switches the host meanwhile") {
  Site site;
  restingHost(site);
  const auto corrections = [&] {
    std::vector<FakeIronic::Request> out;
    std::ranges::copy_if(site.ironic.journal(), std::back_inserter(out),
                         [](const auto& request) { return request.path.ends_with("/states/power"); });
    return out;
  };
  site.ironic.failNext("PUT", "/states/power", {.kind = FakeFault::Kind::hang, .delay = 12s});
  CHECK(untilShown(site, true) <= kProof);
  REQUIRE(corrections().size() == 1);
  const auto begun = corrections().front().at;
  const int resets = site.resets("10.0.0.1");

  site.setOnline("a", false);
  site.pass(begun + 11s - site.loop.clock.now());
  CHECK(site.resets("10.0.0.1") == resets);  // Ironic may switch it on at any moment
  CHECK(corrections().size() == 1);
  site.pass(2s);
  CHECK(corrections().front().status == 202);
  CHECK(site.until([&] { return site.settled("a"); }, 1min));
  CHECK(site.bmc("10.0.0.1").powerState == "Off");
}
