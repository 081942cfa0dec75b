// What hosts cost that nobody works on: the service neither reads them nor holds them, so that they are kept packed.
#include "tests/coordinator/agents/fleet.hpp"
#include "tests/coordinator/agents/site.hpp"

#include "api/hardwaredata/hardware_data.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr int size = 40;

// Each has been granted, and then with the right to act.
struct ServedFleet : Fleet {
  ServedFleet() : Fleet(size, 10s) {
    approve();
    clock.advance(1min);
    REQUIRE(grants >= size);
    REQUIRE(service.grants().canCommand(uid(0)));
    REQUIRE(service.grants().canCommand(uid(size - 1)));
  }
};

int gauge(const Site& site, const std::string& series) {
  const std::string page = site.metrics();
  const auto at = page.find("\n" + series + " ");
  return at == std::string::npos ? -1 : std::stoi(page.substr(at + series.size() + 2));
}

}  // namespace

TEST_CASE("hosts that an agent serves are packed when nobody looks at them, whatever keeps them waiting") {
  ServedFleet site;
  SECTION("nothing") {}
  SECTION("they are paused, and the agent has its right still") {
    for (int i = 0; i < size; ++i)
      site.patchHost(i, R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})");
  }
  SECTION("no agent may serve them any more") { site.approve({"192.168.0.0/16"}); }
  SECTION("their Secrets are gone") {
    for (int i = 0; i < size; ++i) site.removeSecret(i);
  }
  site.clock.advance(1min);
  CHECK(site.hosts.size() == size);
  CHECK(site.hosts.packed() == size);
}

TEST_CASE(
    "a packed host is granted anew when its BMC is to be reached in another way, and no other one is read for it") {
  ServedFleet site;
  site.clock.advance(1min);
  const int before = site.grants;
  site.patchHost(7, R"({"spec":{"bmc":{"disableCertificateVerification":true}}})");
  site.clock.advance(3s);
  CHECK(site.grants == before + 1);
  CHECK(site.hosts.packed() == size - 1);
}

TEST_CASE("hosts that were packed are granted to an agent that comes back, and packed again") {
  ServedFleet site;
  const int before = site.grants;
  site.wires.cut(std::string(40, 'k'));
  site.clock.advance(1min);
  site.wires.mend(std::string(40, 'k'));
  site.clock.advance(1min);
  CHECK(site.grants >= before + size);
  CHECK(site.service.grants().canCommand(site.uid(0)));
  site.clock.advance(20s);
  CHECK(site.hosts.packed() == size);
}

TEST_CASE("results of hosts that nobody knows are acknowledged, and no host is read for them") {
  ServedFleet site;
  constexpr int results = 300;
  site.clock.advance(1min);
  for (int i = 0; i < results; ++i)
    site.say(wire::CommandResult{
        .host = fmt::format("nobody-{}", i), .token = {1, 1, 1}, .outcome = "failed", .action = "on"});
  site.clock.advance(1s);
  CHECK(site.acknowledged == results);
  CHECK(site.hosts.packed() == size);
}

TEST_CASE("a coordinator packs the hosts that its agents serve, and what was found in them") {
  Site site(Site::With::fixture);
  site.serveAll("near");
  for (int i = 0; i < size; ++i) {
    const auto name = fmt::format("host-{}", i);
    site.addHost(name, fmt::format("10.0.0.{}", i + 1), false);
    api::HardwareData found;
    found.metadata = {.name = name, .namespace_ = "metal"};
    site.loop.run(site.user().create(std::move(found)));
  }
  REQUIRE(site.until([&] {
    for (int i = 0; i < size; ++i)
      if (!site.settled(fmt::format("host-{}", i))) return false;
    return true;
  }));
  site.pass(2min);
  for (const std::string resource : {"baremetalhosts.metal3.io", "hardwaredata.metal3.io"}) {
    CAPTURE(resource);
    CHECK(gauge(site, "ingot_cached_objects{resource=\"" + resource + "\"}") == size);
    CHECK(gauge(site, "ingot_cached_objects_packed{resource=\"" + resource + "\"}") > size / 2);  // one pass a minute
  }
}
