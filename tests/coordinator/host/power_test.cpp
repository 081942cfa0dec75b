// A settled host's power over several passes (spec/baremetalhost.md §8.11).
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::ErrorType;
using host::RebootMode;
using host::Result;
using host::State;

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
  b.script.answer("powerOn", Result::failed("no mains"));
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
  auto refused = Result::failed("no mains");
  refused.retryAfter = 15s;
  auto trying = Result::continuing(2s);
  trying.errorStands = true;
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
  auto asked = Result::continuing(0s);
  asked.started = true;
  b.script.answer("powerOff", Result::continuing(3s));  // somebody else has the BMC
  b.pass();
  CHECK(b.it.metadata.annotations.size() == 1);
  b.script.answer("powerOff", asked);
  b.pass();
  CHECK(b.it.metadata.annotations.empty());
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
  b.script.answer("powerOff", Result::failed("timed out"));
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
  auto asked = Result::continuing(0s);
  asked.started = true;
  b.script.answer("powerOff", asked);
  b.passUnsaved();
  b.it = before;
  b.pass();
  CHECK(b.script.count("powerOff") == 1);
  CHECK(b.it.metadata.annotations.empty());
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

TEST_CASE("a power error is over when the wish is withdrawn", "[host][power]") {
  Running b(running().online(false).poweredOn(false).failed(ErrorType::powerManagement, 2));
  b.pass();
  CHECK(b.it.status.errorType.empty());
  CHECK(b.it.status.errorCount == 0);
}

TEST_CASE("an adoption that fails is shown, and forgotten when it works", "[host][power]") {
  Running b;
  b.script.answer("adopt", Result::failed("node is in enroll"));
  b.pass();
  CHECK(b.it.status.errorType == "provisioned registration error");
  b.pass();
  CHECK(b.script.restarted);
  CHECK(b.it.status.errorType.empty());
}

}  // namespace
}  // namespace ingot::tests
