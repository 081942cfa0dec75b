// Hosts that somebody else provisioned (spec/baremetalhost.md §7.2, §7.3): adopted, powered, never wiped.
#include "coordinator/host/power_plan.hpp"
#include "tests/coordinator/host/bench.hpp"
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::ErrorType;
using host::RebootMode;
using host::Refused;
using host::State;

HostBuilder foreign(State state) {
  return aHost(state).online().poweredOn().with([](auto& h) { h.spec.externallyProvisioned = true; });
}

struct Foreign : Bench {
  explicit Foreign(const HostBuilder& host = foreign(State::externallyProvisioned)) : Bench(host) {
    script.on = it.status.poweredOn;
  }
};

TEST_CASE("a registered host that somebody else provisioned is neither inspected nor prepared",
          "[host][transition][external]") {
  Foreign b(foreign(State::registering).failed(ErrorType::registration, 2));
  b.pass();
  CHECK(b.state() == State::externallyProvisioned);
  CHECK(b.it.status.errorCount == 0);
  CHECK(b.pass() == 60s);
  CHECK(b.script.calls == std::vector<std::string>{"register", "register", "adopt"});
}

TEST_CASE("an available host may be declared as provisioned by somebody else", "[host][transition][external]") {
  for (const State state : {State::available, State::ready}) {
    Foreign b(foreign(state).image("http://i/a").annotated(api::annotation::inspect).with([](auto& h) {
      h.spec.rootDeviceHints = h.status.provisioning.rootDeviceHints = api::RootDeviceHints{.deviceName = "/dev/sda"};
    }));
    b.pass();
    CHECK(b.state() == State::externallyProvisioned);
    CHECK_FALSE(b.it.status.provisioning.rootDeviceHints);
    CHECK(b.script.count("inspect") == 0);
  }
}

TEST_CASE("the backend learns what is on the disk of a host that it did not provision", "[host][external]") {
  Foreign b(foreign(State::externallyProvisioned).image("http://i/a").method("theirs"));
  b.pass();
  CHECK(b.script.registered.currentImage->url == "http://i/a");
  CHECK(b.script.registered.hasCustomDeploy);
  CHECK(b.script.registered.state == State::externallyProvisioned);

  Foreign bare;
  bare.pass();
  CHECK_FALSE(bare.script.registered.currentImage);
  CHECK_FALSE(bare.script.registered.hasCustomDeploy);
}

TEST_CASE("an adoption that fails leaves the host as it is and says so", "[host][external]") {
  Foreign b;
  b.script.answer("adopt", Refused{"Host adoption failed: no"});
  b.pass();
  CHECK(b.it.status.errorType == "provisioned registration error");
  CHECK(b.state() == State::externallyProvisioned);
  b.pass();
  CHECK(b.script.restarted);
  CHECK(b.it.status.errorType.empty());
}

TEST_CASE("its power follows the wish, and it reboots like a provisioned host", "[host][power][external]") {
  Foreign off(foreign(State::externallyProvisioned).online(false));
  off.pass();
  CHECK_FALSE(off.it.status.poweredOn);
  CHECK(off.pass() == 60s);
  CHECK(off.script.count("powerOff") == 1);

  Foreign reboot(foreign(State::externallyProvisioned).annotated(api::annotation::reboot));
  reboot.pass();
  CHECK(reboot.script.mode == RebootMode::soft);
  reboot.pass();
  reboot.pass();
  CHECK(reboot.it.metadata.annotations.empty());
  CHECK(reboot.it.status.poweredOn);
}

TEST_CASE("a host that is ours from now on counts as provisioned with what the spec names",
          "[host][transition][external]") {
  Foreign b(aHost(State::externallyProvisioned).online().poweredOn().image("http://i/a"));
  b.pass();
  CHECK(b.state() == State::provisioned);
  CHECK(b.it.status.provisioning.image == *b.it.spec.image);
  CHECK(b.pass() == 60s);
  CHECK(b.state() == State::provisioned);

  Foreign byMethod(aHost(State::externallyProvisioned).online().poweredOn().method("theirs"));
  byMethod.pass();
  CHECK(byMethod.it.status.provisioning.customDeploy->method == "theirs");
  CHECK(byMethod.pass() == 60s);
  CHECK(byMethod.state() == State::provisioned);
}

TEST_CASE("a host that is ours from now on, and for which the spec names nothing, is deprovisioned",
          "[host][transition][external]") {
  Foreign b(aHost(State::externallyProvisioned).online().poweredOn());
  b.pass();
  CHECK(b.state() == State::provisioned);
  b.pass();
  CHECK(b.state() == State::deprovisioning);
}

TEST_CASE("its deletion switches it off and forgets it, without wiping", "[host][delete][external]") {
  Foreign b(foreign(State::externallyProvisioned).beingDeleted());
  b.pass();
  CHECK(b.state() == State::poweringOffBeforeDelete);
  b.pass();
  b.pass();
  CHECK(b.it.metadata.finalizers.empty());
  CHECK(b.script.count("powerOff") == 1);
  CHECK(b.script.count("deprovision") == 0);
}

TEST_CASE("it is detached and attached again like a provisioned host", "[host][detached][external]") {
  Foreign b(foreign(State::externallyProvisioned).annotated(api::annotation::detached));
  b.pass();
  CHECK(b.it.status.operationalStatus == "detached");
  b.it.metadata.annotations.clear();
  b.pass();
  b.pass();
  CHECK(b.state() == State::externallyProvisioned);
  CHECK(b.script.count("adopt") == 1);
}

TEST_CASE("a host that arrives with its status from another cluster is adopted as it is", "[host][external]") {
  World w;
  w.script.on = true;
  w.create(
      foreign(State::none)
          .annotated(
              api::annotation::status,
              R"({"operationalStatus":"OK","provisioning":{"state":"externally provisioned","ID":"old"},"poweredOn":true})"));
  REQUIRE(w.reaches("externally provisioned"));
  w.settle(5s);
  CHECK(w.get().status.provisioning.ID == "node-1");
  CHECK(w.get().status.operationalStatus == "OK");
  CHECK(w.script.count("adopt") > 0);
  CHECK(w.script.count("inspect") + w.script.count("prepare") == 0);
  w.remove();
  REQUIRE(w.vanishes(1min));
  CHECK(w.script.count("deprovision") == 0);
}

TEST_CASE("a new host that somebody else provisioned comes to rest without being touched", "[host][external]") {
  World w;
  w.script.on = true;
  w.create(foreign(State::none));
  REQUIRE(w.reaches("externally provisioned"));
  w.settle(5s);
  CHECK(w.statesSeen() == std::vector<std::string>{"", "registering", "externally provisioned"});
  CHECK(w.get().status.poweredOn);
}

}  // namespace
}  // namespace ingot::tests
