// Detached hosts (spec/baremetalhost.md §7.3, §7.4): the backend forgets them, nobody touches them.
#include "coordinator/host/detachment.hpp"

#include "coordinator/host/deletion.hpp"
#include "coordinator/host/retry.hpp"
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using host::State;
using host::Working;

HostBuilder inUse() { return aHost(State::provisioned).online().poweredOn().image("u").deployed("u"); }

TEST_CASE("a detached host is forgotten by the backend and not touched any more", "[host][detached]") {
  Bench b(inUse().annotated(detached));
  b.script.on = false;  // it went dark, and stays so
  b.script.answer("remove", Working{std::chrono::seconds(3)});
  CHECK(b.pass() == std::chrono::seconds(3));
  CHECK(b.it.status.operationalStatus == "OK");
  CHECK(b.pass() == host::unmanagedPollDelay);
  CHECK(b.it.status.operationalStatus == "detached");
  CHECK(b.state() == State::provisioned);
  CHECK(b.it.status.poweredOn);
  const auto* known = kube::findCondition(b.it.status.conditions, "PowerStateKnown");
  REQUIRE(known != nullptr);
  CHECK(known->status == "Unknown");
  CHECK(known->message == "the host is detached: nobody reads its power");
  CHECK(b.script.calls == std::vector<std::string>{"remove", "remove"});
}

TEST_CASE("a host that has moved on is not taken from the backend", "[host][detached]") {
  Bench b(inUse().annotated(detached));
  b.cluster.moved = true;  // the annotation is gone again
  CHECK_THROWS_AS(b.pass(), host::HostMoved);
  CHECK(b.script.count("remove") == 0);
}

TEST_CASE("an image that is withdrawn from a detached host is not wiped", "[host][detached]") {
  Bench b(inUse().noImage().annotated(detached));
  b.pass();
  CHECK(b.state() == State::provisioned);
  CHECK(b.script.count("deprovision") == 0);
}

TEST_CASE("without the annotation the host is registered and adopted again", "[host][detached]") {
  Bench b(inUse().with([](auto& h) { h.status.operationalStatus = "detached"; }));
  b.script.on = true;
  CHECK(b.pass() == host::atOnce);
  CHECK(b.it.status.operationalStatus == "OK");
  b.pass();
  CHECK(b.script.count("register") == 1);
  CHECK(b.script.count("adopt") == 1);
}

TEST_CASE("a host in the middle of something is detached when it has come to rest", "[host][detached]") {
  Bench b(aHost(State::provisioning).online().image("u").annotated(detached, R"({"force":true})"));
  b.pass();
  CHECK(b.state() == State::provisioned);
  b.pass();
  CHECK(b.it.status.operationalStatus == "detached");
}

TEST_CASE("a detached host that is deleted is neither wiped nor switched off", "[host][detached]") {
  for (const State state :
       {State::inspecting, State::preparing, State::available, State::provisioning, State::provisioned}) {
    INFO(text(state));
    Bench b(aHost(state).online().image("u").annotated(detached).beingDeleted());
    b.pass();
    CHECK(b.state() == State::deleting);
    b.pass();
    CHECK(b.it.metadata.finalizers.empty());
    CHECK(b.script.calls == std::vector<std::string>{"remove"});
  }
}

TEST_CASE("its deletion waits when it is told to, or when nobody says how", "[host][detached]") {
  struct Row {
    api::BareMetalHost host;
    bool delayed;
  };
  const auto marked = [](api::BareMetalHost& h) { h.status.operationalStatus = "detached"; };
  const Row rows[] = {
      {inUse().build(), false},
      {inUse().with(marked).build(), true},
      {inUse().annotated(detached).build(), false},
      {inUse().annotated(detached, R"({"deleteAction":"delay"})").build(), true},
      {inUse().annotated(detached, R"({"deleteAction":"delete"})").with(marked).build(), false},
      {inUse().annotated(detached, R"({"deleteAction":"delay","force":"yes"})").with(marked).build(), false},
      {inUse().annotated(detached, "{}").build(), false},
      {inUse().annotated(detached, "not JSON").with(marked).build(), false},
  };
  for (const Row& row : rows) CHECK(host::deletionDelayed(row.host) == row.delayed);

  Bench b(inUse().annotated(detached, R"({"deleteAction":"delay"})").beingDeleted());
  b.pass();
  CHECK(b.state() == State::provisioned);
  CHECK(b.it.status.operationalStatus == "detached");
}

}  // namespace
}  // namespace ingot::tests
