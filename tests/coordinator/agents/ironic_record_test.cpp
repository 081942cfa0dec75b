// Ironic's memory of a node's power (docs/decisions/0009): corrected as soon as an agent has proved a
// change.
#include "tests/coordinator/agents/resting_host.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto firstLook = 1s;  // of the agent, after it has asked the BMC

std::optional<base::MonoTime> toldAt(const Site& site, std::size_t since) {
  const auto& journal = site.ironic.journal();
  const auto told = std::find_if(journal.begin() + static_cast<std::ptrdiff_t>(since), journal.end(),
                                 [](const auto& request) { return request.path.ends_with("/states/power"); });
  return told == journal.end() ? std::nullopt : std::optional(told->at);
}

// From the change at the BMC until Ironic was told.
base::Duration gap(Site& site, bool on) {
  std::optional<base::MonoTime> changed;
  site.onAgentWrite = [&](const std::string&) { changed = site.loop.clock.now(); };
  const auto since = site.ironic.journal().size();
  site.setOnline("a", on);
  REQUIRE(site.until([&] { return toldAt(site, since).has_value(); }, 30s));
  site.onAgentWrite = nullptr;
  REQUIRE(changed);
  return *toldAt(site, since) - *changed;
}

std::ptrdiff_t powerOns(Site& site) {
  return std::ranges::count_if(site.ironic.journal(), [](const auto& request) {
    return request.path.ends_with("/states/power") && json::textAt(request.body, {"target"}) == "power on";
  });
}

// Its BMC keeps no boot device: Ironic sets it again at each power-on. `later`: from when it is known.
void bootsByIronic(Site& site, base::Duration later = 1min) {
  auto& node = site.ironic.record("metal~a");
  node["driver_internal_info"] = json::Object{{"redfish_boot_device", "Hdd"}};
  node["provision_updated_at"] = "2026-11-27T06:00:00Z";  // as when it is deployed
  site.pass(later);
}

}  // namespace

TEST_CASE("Ironic's record follows an agent's change at once") {
  Site site;
  restingHost(site);
  for (const bool on : {true, false}) {
    const auto took = gap(site, on);
    CHECK(took >= firstLook);
    CHECK(took <= firstLook + 200ms);
    site.pass(10s);
  }
  CHECK(site.resets("10.0.0.1") == 2);
}

TEST_CASE(
    "a host whose boot device Ironic sets again at each power-on is switched on by Ironic, and off by the agent") {
  Site site;
  restingHost(site);
  bootsByIronic(site);
  site.ironic.clearJournal();
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }, 2min));
  CHECK(site.resets("10.0.0.1") == 0);
  CHECK(powerOns(site) == 1);
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return site.settled("a") && !site.host("a")->status.poweredOn; }, 2min));
  CHECK(site.resets("10.0.0.1") == 1);
}

TEST_CASE("a host that Ironic has switched on is on when its agent has read it so, and its status does not flap") {
  Site site;
  restingHost(site);
  // At whatever moment between two readings.
  bootsByIronic(site, 1min + std::chrono::milliseconds(GENERATE(0, 700, 1900, 3300, 4600)));
  std::vector<bool> shown;
  site.onHostStored = [&shown](const api::BareMetalHost& host) {
    if (shown.empty() || shown.back() != host.status.poweredOn) shown.push_back(host.status.poweredOn);
  };
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }, 2min));
  site.pass(20s);
  CHECK(shown == std::vector<bool>{false, true});
}

namespace {

// It has lost its input power, and Ironic, which does not look by itself, remembers it as on.
void lostUnseen(Site& site) {
  site.ironic.setOptions({.powerSyncInterval = 24h});
  restingHost(site);
  bootsByIronic(site);
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }, 2min));
  site.pass(10s);
  site.ironic.clearJournal();
  site.bmc("10.0.0.1").powerState = "Off";
  REQUIRE(site.ironic.record("metal~a")["power_state"] == "power on");
}

}  // namespace

TEST_CASE("a host that Ironic remembers as on, and its agent reads as off, is switched on by Ironic all the same") {
  Site site;
  lostUnseen(site);
  CHECK(site.until([&] { return site.bmc("10.0.0.1").powerState == "On"; }, 1min));
  CHECK(site.until([&] { return site.settled("a") && site.host("a")->status.poweredOn; }, 1min));
  site.pass(1min);
  CHECK(powerOns(site) == 1);
  CHECK(site.resets("10.0.0.1") == 0);
}

TEST_CASE("a host that stays off whatever Ironic says is told of") {
  Site site;
  lostUnseen(site);
  // Nobody knows why: whatever Ironic does there, it is off when it is read.
  site.bmc("10.0.0.1").before = [&site](const net::ServerRequest&) -> base::Task<void> {
    site.bmc("10.0.0.1").powerState = "Off";
    co_return;
  };
  CHECK(site.until([&] { return site.host("a")->status.errorMessage.find("says Off") != std::string::npos; }, 3min));
  CHECK(powerOns(site) >= 2);
  site.pass(5min);
  CHECK(site.host("a")->status.errorMessage.find("says Off") != std::string::npos);
}

TEST_CASE("a host whose node cannot be read is switched on all the same") {
  Site site;
  restingHost(site);
  site.ironic.failNext("GET", "/v1/nodes/", {.kind = FakeFault::Kind::lostAnswer}, 1000);
  site.setOnline("a", true);
  CHECK(site.until([&] { return site.resets("10.0.0.1") == 1; }, 2min));
}
