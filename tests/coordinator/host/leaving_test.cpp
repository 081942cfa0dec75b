// Hosts on their way out (spec/baremetalhost.md §7.3, §8.10).
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using host::ErrorType;
using host::Result;
using host::State;

TEST_CASE("a provisioned host is deprovisioned, powered off, forgotten and released", "[host][delete]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u").beingDeleted());
  b.script.on = true;
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
  CHECK(b.cluster.released == std::set<std::string>{"bmc"});
  CHECK(b.cluster.formerReleased);
  CHECK(b.script.calls.back() == "remove");
}

TEST_CASE("the finalizer stays while the backend still knows the host", "[host][delete]") {
  Bench b(aHost(State::deleting).beingDeleted());
  b.script.answer("remove", Result::continuing(std::chrono::seconds(3)));
  CHECK(b.pass() == std::chrono::seconds(3));
  CHECK(b.it.metadata.finalizers.size() == 1);
  CHECK(b.cluster.released.empty());
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

TEST_CASE("a host without credentials that the backend lost is deleted", "[host][delete]") {
  Bench b(aHost(State::deprovisioning).deployed("u").beingDeleted());
  b.access.reset();
  b.script.throws["adopt"] = "no node";
  b.script.throwCode = host::ProvisionerError::Code::needsRegistration;
  b.pass();
  CHECK(b.state() == State::deleting);
  CHECK(b.script.count("register") == 0);
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
