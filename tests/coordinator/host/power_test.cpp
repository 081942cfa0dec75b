// A settled host's power over several passes (spec/baremetalhost.md §8.11).
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::ErrorType;
using host::RebootMode;
using host::Refused;
using host::State;
using host::Working;

HostBuilder running() { return aHost(State::provisioned).online().poweredOn().image("u").deployed("u"); }

struct Running : Bench {
  explicit Running(const HostBuilder& host = running()) : Bench(host) { script.on = it.status.poweredOn; }
};

TEST_CASE("a host that went dark is shown as off, then switched on again", "[host][power]") {
  Running b;
  b.script.on = false;
  CHECK(b.pass() == 0s);
  CHECK_FALSE(b.it.status.poweredOn);
  CHECK(b.script.count("powerOn") == 0);  // recorded first
  b.pass();
  CHECK(b.script.count("powerOn") == 1);
  CHECK(b.it.status.poweredOn);
  CHECK(b.pass() == 60s);
}

TEST_CASE("a host without mains says why, and comes back by itself", "[host][power]") {
  Running b;
  b.script.on = false;
  b.script.answer("powerOn", Refused{"no mains"});
  b.pass();
  CHECK(b.pass() > 1min);
  CHECK(b.it.status.errorType == "power management error");
  CHECK(b.it.status.errorMessage == "no mains");
  b.pass();
  CHECK(b.script.forced);
  CHECK(b.it.status.errorType.empty());
  CHECK(b.it.status.poweredOn);
  CHECK(b.it.status.errorCount == 0);
}

TEST_CASE("where a try costs little a refusal is tried again soon, told once, and stands until it is disproved",
          "[host][power]") {
  Running b(running().poweredOn(false));
  const Refused refused{"no mains", 15s};
  const Working trying{.after = 2s, .errorStands = true};
  b.script.answer("powerOn", refused);
  CHECK(b.pass() <= 18s);
  b.script.answer("powerOn", trying);
  CHECK(b.pass() == 2s);
  CHECK(b.it.status.errorMessage == "no mains");
  b.script.answer("powerOn", refused);
  CHECK(b.pass() <= 18s);
  CHECK(b.it.status.errorCount == 1);
  b.pass();
  CHECK(b.it.status.errorType.empty());
  CHECK(b.it.status.poweredOn);
}

TEST_CASE("a host that may not be switched off keeps its reboot annotation until the reboot is asked for",
          "[host][power]") {
  Running b(running().annotated(api::annotation::reboot).with([](auto& h) { h.spec.disablePowerOff = true; }));
  const Working asked{.started = true};
  b.script.answer("powerOff", Working{3s});  // somebody else has the BMC
  b.pass();
  CHECK(b.it.metadata.annotations.size() == 1);
  b.script.answer("powerOff", asked);
  b.pass();
  CHECK(b.it.metadata.annotations.empty());
}

TEST_CASE("a host that may not be switched off keeps its reboot annotation while the reboot is refused",
          "[host][power]") {
  Running b(running().annotated(api::annotation::reboot).with([](auto& h) { h.spec.disablePowerOff = true; }));
  b.script.answer("powerOff", Refused{"Ironic does not switch a node in state \"deploy failed\""});
  CHECK(b.pass() > 30s);
  CHECK(b.it.metadata.annotations.size() == 1);
  CHECK(b.it.status.errorType == "power management error");
  CHECK_THAT(b.it.status.errorMessage, Catch::Contains("does not switch"));
  b.pass();
  CHECK(b.script.forced);
  CHECK(b.it.metadata.annotations.empty());
  b.pass();
  CHECK(b.it.status.errorType.empty());
}

TEST_CASE("a reboot annotation takes the host off, goes, and the host comes on again", "[host][power]") {
  Running b(running().annotated(api::annotation::reboot));
  b.pass();
  CHECK(b.script.mode == RebootMode::soft);
  CHECK_FALSE(b.it.status.poweredOn);
  CHECK(b.pass() == 0s);
  CHECK(b.it.metadata.annotations.empty());
  b.pass();
  CHECK(b.it.status.poweredOn);
  CHECK(b.pass() == 60s);
  CHECK(b.script.count("powerOff") == 1);
}

TEST_CASE("a client's own annotation holds the host off until the client takes it away", "[host][power]") {
  Running b(running().annotated("reboot.metal3.io/fence"));
  b.pass();
  CHECK(b.pass() == 60s);
  CHECK_FALSE(b.it.status.poweredOn);
  CHECK(b.it.metadata.annotations.size() == 1);
  b.it.metadata.annotations.clear();
  b.pass();
  CHECK(b.it.status.poweredOn);
}

TEST_CASE("a shutdown that the system ignores is followed by pulling the plug", "[host][power]") {
  Running b(running().online(false));
  b.script.answer("powerOff", Refused{"timed out"});
  b.pass();
  CHECK(b.it.status.errorMessage == "Continuing with hard poweroff after soft poweroff fails. More details: timed out");
  b.pass();
  CHECK(b.script.mode == RebootMode::hard);
  CHECK_FALSE(b.it.status.poweredOn);
}

TEST_CASE("a host that may not be switched off is rebooted in place", "[host][power]") {
  Running b(running().annotated(api::annotation::reboot).with([](auto& h) { h.spec.disablePowerOff = true; }));
  b.pass();
  CHECK(b.script.count("powerOff") == 1);
  CHECK(b.it.metadata.annotations.empty());
  CHECK(b.it.status.poweredOn);
}

TEST_CASE("a reboot in place that the backend accepted is not asked for again when its annotation could not be removed",
          "[host][power]") {
  Running b(running().annotated(api::annotation::reboot).with([](auto& h) { h.spec.disablePowerOff = true; }));
  const auto before = b.it;
  const Working asked{.started = true};
  b.script.answer("powerOff", asked);
  b.passUnsaved();
  b.it = before;
  b.pass();
  CHECK(b.script.count("powerOff") == 1);
  CHECK(b.it.metadata.annotations.empty());
}

TEST_CASE("a reboot in place during which the host read as off is not asked for again", "[host][power]") {
  Running b(running().annotated(api::annotation::reboot).with([](auto& h) { h.spec.disablePowerOff = true; }));
  const auto before = b.it;
  b.script.answer("powerOff", Working{.started = true});
  b.passUnsaved();
  b.it = before;
  for (const bool on : {false, true}) {  // seen, and its annotation stays
    b.script.on = on;
    b.pass();
    CHECK(b.it.status.poweredOn == on);
  }
  b.pass();
  CHECK(b.script.count("powerOff") == 1);
  CHECK(b.it.metadata.annotations.empty());

  b.pass();  // what is remembered of the first says nothing of the second
  b.it.metadata.annotations[std::string(api::annotation::reboot)] = "";
  b.pass();
  CHECK(b.script.count("powerOff") == 2);
}

TEST_CASE("a host that may not be switched off is not rebooted for a wish that would stay", "[host][power]") {
  const bool fenced = GENERATE(true, false);
  Running b(running().with([&](auto& h) {
    h.spec.disablePowerOff = true;
    h.spec.online = fenced;
    if (fenced) h.metadata.annotations["reboot.metal3.io/fence"] = "";
  }));
  for (int i = 0; i < 3; ++i) b.pass();
  CHECK(b.script.count("powerOff") == 0);
  CHECK(b.it.status.errorType == "power management error");
  CHECK_THAT(b.it.status.errorMessage, Catch::Contains("spec.disablePowerOff"));
  CHECK(b.it.status.errorCount == 1);
  SECTION("the wish is withdrawn") {
    b.it.spec.online = true;
    b.it.metadata.annotations.clear();
  }
  SECTION("a reboot is asked for that ends by itself: the operating system is asked first") {
    b.it.metadata.annotations[std::string(api::annotation::reboot)] = "";
  }
  b.pass();
  CHECK(b.it.status.errorType.empty());
  CHECK(b.it.status.errorCount == 0);
  b.pass();
  if (b.script.count("powerOff") > 0) CHECK(b.script.mode == RebootMode::soft);
}

TEST_CASE("nothing is switched while the power is not known", "[host][power]") {
  Running b(running().online(false));
  b.script.on.reset();
  b.pass();
  CHECK(b.it.status.poweredOn);
  CHECK(b.script.count("powerOff") == 0);
}

// Passes for so long, in the time that they ask for.
void passesFor(Bench& b, base::Duration time) {
  const auto end = b.loop.clock.now() + time;
  while (b.loop.clock.now() < end) {
    const auto delay = b.pass();
    b.loop.clock.advance(std::max<base::Duration>(delay.value_or(60s), 1ms));
  }
}

TEST_CASE("a power change that Ironic never takes is said after a minute, with what to do, and asked for softly still",
          "[host][power]") {
  Running b(running().annotated("reboot.metal3.io/fence"));
  b.script.obstacle = "node n is locked by Ironic's conductor c";
  for (int i = 0; i < 60; ++i) b.script.answer("powerOff", Working{3s});
  passesFor(b, 55s);
  CHECK(b.it.status.errorMessage.empty());
  passesFor(b, 10s);
  CHECK(b.it.status.errorMessage == "PowerOff operation waits: node n is locked by Ironic's conductor c");
  CHECK(b.it.status.errorType == "power management error");
  passesFor(b, 40s);
  CHECK(b.it.status.errorCount == 1);  // told once
  CHECK(b.script.mode == RebootMode::soft);
  CHECK_FALSE(b.script.forced);
  b.script.answers.clear();
  b.script.obstacle.clear();
  passesFor(b, 20s);
  CHECK(b.it.status.errorMessage.empty());
  CHECK_FALSE(b.it.status.poweredOn);
}

TEST_CASE("a power change that takes its time is no failure, one that never ends is", "[host][power]") {
  Running b(running().online(false));
  for (int i = 0; i < 500; ++i) b.script.answer("powerOff", Working{3s});
  passesFor(b, 4min);
  CHECK(b.it.status.errorMessage.empty());
  passesFor(b, 90s);
  CHECK_THAT(b.it.status.errorMessage, Catch::Contains("it was asked for minutes ago and has not come about"));
}

TEST_CASE("where the change itself is watched over, its own words are waited for", "[host][power]") {
  Running b(running().online(false));
  const Working trying{.after = 3s, .errorStands = true};
  for (int i = 0; i < 500; ++i) b.script.answer("powerOff", trying);
  passesFor(b, 8min);
  CHECK(b.it.status.errorMessage.empty());
  b.script.obstacle = "a lock";  // but what stands in the way is said
  passesFor(b, 10s);
  CHECK(b.it.status.errorMessage == "PowerOff operation waits: a lock");
}

TEST_CASE("a wish that comes back later waits anew", "[host][power]") {
  Running b(running().online(false));
  b.script.obstacle = "a lock";
  for (int i = 0; i < 500; ++i) b.script.answer("powerOff", Working{3s});
  passesFor(b, 50s);
  b.it.spec.online = true;
  passesFor(b, 2min);
  b.it.spec.online = false;
  passesFor(b, 50s);
  CHECK(b.it.status.errorMessage.empty());
}

TEST_CASE("a power error is over when the wish is withdrawn", "[host][power]") {
  Running b(running().online(false).poweredOn(false).failed(ErrorType::powerManagement, 2));
  b.pass();
  CHECK(b.it.status.errorType.empty());
  CHECK(b.it.status.errorCount == 0);
}

TEST_CASE("an adoption that fails is shown, and forgotten when it works", "[host][power]") {
  Running b;
  b.script.answer("adopt", Refused{"node is in enroll"});
  b.pass();
  CHECK(b.it.status.errorType == "provisioned registration error");
  b.pass();
  CHECK(b.script.restarted);
  CHECK(b.it.status.errorType.empty());
}

}  // namespace
}  // namespace ingot::tests
