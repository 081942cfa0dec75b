// Hosts on their way out (spec/baremetalhost.md §7.3, §8.10).
#include "tests/coordinator/host/leaving.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using host::ErrorType;
using host::Refused;
using host::State;
using host::Working;

TEST_CASE("a provisioned host is deprovisioned, powered off, forgotten and released", "[host][delete]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u").beingDeleted());
  b.script.on = true;
  b.cluster.former = {"former"};
  b.pass();
  CHECK(b.state() == State::deprovisioning);
  b.pass();
  CHECK(b.state() == State::poweringOffBeforeDelete);
  b.pass();
  CHECK(b.state() == State::deleting);
  CHECK_FALSE(b.it.status.poweredOn);
  CHECK(b.script.mode == host::RebootMode::hard);
  CHECK(b.pass() == std::nullopt);
  CHECK(std::holds_alternative<host::Gone>(*b.step));
  CHECK(b.it.metadata.finalizers.empty());
  CHECK(b.cluster.released == std::set<std::string>{"bmc", "former"});
  CHECK(b.script.calls.back() == "remove");
}

TEST_CASE("the finalizer stays while the backend still knows the host", "[host][delete]") {
  Bench b(aHost(State::deleting).beingDeleted());
  b.script.answer("remove", Working{std::chrono::seconds(3)});
  CHECK(b.pass() == std::chrono::seconds(3));
  CHECK(b.it.metadata.finalizers.size() == 1);
  CHECK(b.cluster.released.empty());
}

TEST_CASE("what holds an undeploy or a removal is shown, without a password, and counts as no failure",
          "[host][delete]") {
  const auto [state, call] =
      GENERATE(std::pair{State::deprovisioning, "deprovision"}, std::pair{State::deleting, "remove"});
  Bench b(aHost(state).beingDeleted());
  b.script.answer(call, Working{.after = std::chrono::seconds(3), .obstacle = "hunter22 is locked"});
  CHECK(b.pass() == std::chrono::seconds(3));
  CHECK(b.it.status.errorMessage == "*** is locked");
  CHECK(b.it.status.errorType.empty());
  CHECK(b.it.status.errorCount == 0);
  CHECK(b.it.status.operationalStatus == "OK");
}

TEST_CASE("a Secret that may not be changed does not hold a host: an Event says what is left", "[host][delete]") {
  const auto code = GENERATE(kube::Error::Code::forbidden, kube::Error::Code::invalid);
  Bench b(aHost(State::deleting).beingDeleted());
  b.cluster.releasesRefused = code;
  CHECK(b.pass() == std::nullopt);
  CHECK(b.it.metadata.finalizers.empty());
  CHECK(b.told("SecretNotReleased"));
  CHECK(b.journal.events().back().message ==
        "the Secret bmc keeps the finalizer baremetalhost.metal3.io/secret, remove it by hand: refused");
}

TEST_CASE("a Secret that the API fails to change holds a host for a few minutes only", "[host][delete]") {
  Bench b(aHost(State::deleting).beingDeleted());
  b.cluster.releasesRefused = kube::Error::Code::internal;
  const base::Duration time = timeToLeave(b);
  CHECK(time >= std::chrono::minutes(1));
  CHECK(time < std::chrono::minutes(4));
  CHECK(std::ranges::count(b.allEvents,
                           "SecretNotReleased: the Secret bmc keeps the finalizer baremetalhost.metal3.io/secret, "
                           "remove it by hand: refused") == 1);
  CHECK_FALSE(wasTold(b, "NodeNotRemoved"));
}

TEST_CASE("a Secret that the API failed to change is let go when it does", "[host][delete]") {
  Bench b(aHost(State::deleting).beingDeleted());
  b.cluster.releasesRefused = kube::Error::Code::internal;
  const auto delay = b.pass();
  REQUIRE(delay.has_value());
  CHECK(b.it.metadata.finalizers.size() == 1);
  b.cluster.releasesRefused.reset();
  b.loop.clock.advance(*delay);
  CHECK(b.pass() == std::nullopt);
  CHECK(b.cluster.released.contains("bmc"));
  CHECK_FALSE(b.told("SecretNotReleased"));
}

TEST_CASE("HardwareData that may not be changed does not hold a host: an Event says what is left", "[host][delete]") {
  const auto code = GENERATE(kube::Error::Code::forbidden, kube::Error::Code::invalid);
  Bench b(aHost(State::deleting).beingDeleted());
  b.cluster.hardwareRefused = code;
  CHECK(b.pass() == std::nullopt);
  CHECK(b.it.metadata.finalizers.empty());
  REQUIRE(b.told("HardwareDataNotReleased"));
  CHECK(b.journal.events().front().message ==
        "the HardwareData a keeps the finalizer baremetalhost.metal3.io/hardwareData, remove it by hand: refused");
}

TEST_CASE("an API that is away now holds a host until it is back", "[host][delete]") {
  Bench b(aHost(State::deleting).beingDeleted());
  b.cluster.releasesRefused = kube::Error::Code::unavailable;
  CHECK_THROWS_AS(b.pass(), kube::Error);
  CHECK(b.it.metadata.finalizers.size() == 1);
}

TEST_CASE("a host that may not be powered off is deleted as it is", "[host][delete]") {
  Bench b(aHost(State::poweringOffBeforeDelete).beingDeleted().with([](auto& h) { h.spec.disablePowerOff = true; }));
  b.pass();
  CHECK(b.state() == State::deleting);
  CHECK(b.script.count("powerOff") == 0);
}

TEST_CASE("a deprovisioning that keeps failing is given up after the fourth time", "[host][delete]") {
  Bench b(aHost(State::deprovisioning).deployed("u").beingDeleted());
  b.script.alwaysFail("deprovision", "stuck");
  for (int i = 0; i < 3; ++i) {
    b.pass();
    REQUIRE(b.state() == State::deprovisioning);
  }
  b.pass();
  CHECK(b.state() == State::poweringOffBeforeDelete);
}

void backendLost(Bench& b, host::ProvisionerError::Code code, const std::string& why) {
  for (const char* call : {"adopt", "deprovision", "endWork", "powerOff"}) b.script.throws[call] = why;
  b.script.throwCode = code;
}

TEST_CASE("a host without credentials that the backend lost is deleted", "[host][delete]") {
  Bench b(aHost(State::deprovisioning).deployed("u").beingDeleted());
  b.access.reset();
  backendLost(b, host::ProvisionerError::Code::needsRegistration, "no node");
  b.pass();
  CHECK(b.state() == State::poweringOffBeforeDelete);
  b.pass();
  CHECK(b.state() == State::deleting);
  CHECK(b.script.count("register") == 0);
}

TEST_CASE("a host that the backend has lost and cannot register again leaves, and both steps left undone are told",
          "[host][delete]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u").beingDeleted());
  backendLost(b, host::ProvisionerError::Code::needsRegistration, "host not registered");
  SECTION("registration throws") { b.script.throws["register"] = "no conductor"; }
  SECTION("registration never ends") {
    for (int i = 0; i < 1000; ++i) b.script.answer("register", Working{std::chrono::seconds(3)});
  }
  CHECK(timeToLeave(b) < std::chrono::minutes(5));
  CHECK(std::ranges::count(b.allEvents,
                           "DeprovisioningSkipped: deleted without deprovisioning, its disks were not cleaned: host "
                           "not registered") == 1);
  CHECK(std::ranges::count(b.allEvents,
                           "PowerOffSkipped: deleted without being switched off, it may still be running: host not "
                           "registered") == 1);
}

TEST_CASE("a host without credentials whose status names another host's node leaves, and says what was not done",
          "[host][delete]") {
  Bench b(aHost(GENERATE(State::deprovisioning, State::poweringOffBeforeDelete)).beingDeleted());
  b.access.reset();
  const std::string why = "node node-1 belongs to host metal/other, not to metal/a";
  backendLost(b, host::ProvisionerError::Code::foreignNode, why);
  CHECK(timeToLeave(b) < std::chrono::minutes(1));
  CHECK(wasTold(b, "PowerOffSkipped: deleted without being switched off, it may still be running: " + why));
}

TEST_CASE("a host whose BMC is dead leaves within ten minutes, and an Event says what was not done", "[host][delete]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u").beingDeleted());
  b.script.powerFailure = true;
  const Refused lost{"Ironic has lost the BMC", std::chrono::seconds(30)};
  for (int i = 0; i < 50; ++i) b.script.answer("deprovision", lost);
  SECTION("power is refused") { b.script.alwaysFail("powerOff", "no route to hunter22's host"); }
  SECTION("power changes never end") {
    for (int i = 0; i < 1000; ++i) b.script.answer("powerOff", Working{std::chrono::seconds(3)});
  }
  CHECK(timeToLeave(b) < std::chrono::minutes(10));
  CHECK(b.it.metadata.finalizers.empty());
  CHECK(wasTold(b, "PowerManagementError: Ironic has lost the BMC"));
  CHECK(
      wasTold(b, "DeprovisioningSkipped: deleted without deprovisioning, its disks were not cleaned: Ironic has lost"));
  CHECK(wasTold(b, "PowerOffSkipped: deleted without being switched off, it may still be running: "));
  CHECK_FALSE(wasTold(b, "hunter22"));
}

TEST_CASE("a host that somebody else provisioned, its BMC dead, leaves too, and nothing is said of disks",
          "[host][delete][external]") {
  Bench b(aHost(State::externallyProvisioned).online().poweredOn().beingDeleted().with([](auto& h) {
    h.spec.externallyProvisioned = true;
  }));
  b.script.alwaysFail("powerOff", "no route to host");
  CHECK(timeToLeave(b) < std::chrono::minutes(10));
  CHECK(wasTold(b, "PowerOffSkipped"));
  CHECK_FALSE(wasTold(b, "DeprovisioningSkipped"));
  CHECK(b.script.count("deprovision") == 0);
}

TEST_CASE("a host that cannot be registered any more leaves within ten minutes, and says so", "[host][delete]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u").beingDeleted());
  b.script.alwaysFail("register", "the BMC is silent");
  CHECK(timeToLeave(b) < std::chrono::minutes(10));
  CHECK(wasTold(b, "DeprovisioningSkipped"));
  CHECK(wasTold(b, "PowerOffSkipped: deleted without being switched off, it may still be running: the BMC is silent"));
}

TEST_CASE("network data that the API refuses to show does not hold a deletion", "[host][delete]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u").beingDeleted().with([](auto& h) {
    h.spec.preprovisioningNetworkDataName = "net";
  }));
  b.cluster.add("net", {{"networkData", "{}"}});
  SECTION("for good") {
    b.cluster.claimsRefused = kube::Error::Code::forbidden;
    CHECK(timeToLeave(b) < std::chrono::minutes(1));
    CHECK_FALSE(wasTold(b, "Skipped"));
  }
  SECTION("its claim fails inside the API: it is read as it is") {
    b.cluster.claimsRefused = kube::Error::Code::internal;
    CHECK(timeToLeave(b) < std::chrono::minutes(1));
    CHECK(b.script.registered.preprovisioningNetworkData.reveal() == "{}");
  }
  SECTION("for now: it is asked again") {
    b.cluster.claimsRefused = kube::Error::Code::unavailable;
    b.pass();
    CHECK_THROWS_AS(b.pass(), kube::Error);
  }
}

TEST_CASE("a disk that cannot be cleaned is tried for longer than a BMC that is dead", "[host][delete]") {
  Bench b(aHost(State::provisioned).online().image("u").deployed("u").beingDeleted());
  b.script.alwaysFail("deprovision", "the disk cannot be erased");
  const base::Duration time = timeToLeave(b);
  CHECK(time > std::chrono::minutes(6));
  CHECK(time < std::chrono::hours(1));
  CHECK(wasTold(b, "DeprovisioningSkipped"));
  CHECK_FALSE(wasTold(b, "PowerOffSkipped"));
}

TEST_CASE("a machine that its BMC does not switch off is torn down no longer than one whose BMC is dead",
          "[host][delete]") {
  Bench b(aHost(State::provisioned).online().image("u").deployed("u").beingDeleted());
  for (int i = 0; i < 100; ++i)
    b.script.answer("deprovision", Refused{.message = "Failed to tear down", .aboutReach = true});
  b.script.alwaysFail("powerOff", "the BMC refuses");
  CHECK(timeToLeave(b) < std::chrono::minutes(10));
  CHECK(b.script.count("deprovision") == 4);
  CHECK(wasTold(b, "ProvisioningError: Failed to tear down"));
  CHECK(wasTold(b, "DeprovisioningSkipped"));
}

TEST_CASE("a tear-down that waits for a lost BMC is shown once, and goes on when it is back", "[host][power]") {
  Bench b(aHost(State::deprovisioning).deployed("u"));
  b.script.powerFailure = true;
  const Refused lost{"Ironic has lost the BMC", std::chrono::seconds(30)};
  for (int i = 0; i < 5; ++i) b.script.answer("deprovision", lost);
  for (int i = 0; i < 5; ++i) CHECK(b.pass() <= std::chrono::seconds(36));
  CHECK(b.it.status.errorType == "power management error");
  CHECK(b.it.status.errorCount == 1);
  b.pass();
  CHECK(b.state() == State::available);
  CHECK(b.it.status.errorType.empty());
}

TEST_CASE("nothing destructive is done on a host that has moved on", "[host][delete]") {
  const std::pair<State, std::string> rows[] = {{State::provisioning, "provision"},
                                                {State::deprovisioning, "deprovision"},
                                                {State::poweringOffBeforeDelete, "powerOff"}};
  for (const auto& [state, call] : rows) {
    Bench b(aHost(state).online().image("u"));
    b.cluster.moved = true;
    CHECK_THROWS_AS(b.pass(), host::HostMoved);
    CHECK(b.script.count(call) == 0);
  }
  Bench b(aHost(State::deleting).beingDeleted());
  b.cluster.moved = true;
  CHECK_THROWS_AS(b.pass(), host::HostMoved);
  CHECK(b.it.metadata.finalizers.size() == 1);
  CHECK(b.script.count("remove") == 0);
}

}  // namespace
}  // namespace ingot::tests
