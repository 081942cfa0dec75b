// Reasons of failures that Ironic has emptied last_error of (spec/ironic.md §8.3).
#include "coordinator/host/ironic/history.hpp"

#include "tests/coordinator/ironic/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using ironic::HistoryEvent;
using ironic::State;

namespace {

ironic::Node failedAt(std::string time) {
  ironic::Node out;
  out.provisionState = State::deployFailed;
  out.provisionUpdatedAt = std::move(time);
  return out;
}

HistoryEvent errorAt(std::string time, std::string text, std::string type = "deploying") {
  return {.createdAt = std::move(time), .severity = "ERROR", .eventType = std::move(type), .event = std::move(text)};
}

std::string reasonIn(const std::vector<HistoryEvent>& latestFirst) {
  return backend::recordedReason(failedAt("2026-01-01T10:20:00+00:00"), latestFirst);
}

const auto deployment = [](Provisioner& p) { return p.provision(diskImage()); };

void passPowerSync(World& world) {
  world.loop.clock.advance(world.ironic.options().powerSyncInterval + 1s);
  REQUIRE(world.nodeText("last_error").empty());
}

// The node has failed for this reason, and the next power sync has emptied it.
void givenForgotten(World& world, State state, const std::string& reason) {
  world.given(state, reason);
  passPowerSync(world);
}

void failedDeploymentForgotten(World& world) {
  world.given(State::available);
  world.ironic.breakNext("ns~h", ironic::Verb::deploy, "no disk");
  REQUIRE(isWorking(world.pass(deployment)));
  world.loop.clock.advance(world.ironic.options().ramdiskWork * 2);
  REQUIRE(world.nodeText("last_error") == "no disk");
  passPowerSync(world);
}

}  // namespace

TEST_CASE("a failed state alone lacks a reason, once nobody holds the node") {
  ironic::Node node = failedAt("2026-01-01T10:20:00+00:00");
  CHECK(backend::lacksReason(node));
  node.reservation = "conductor-1";
  CHECK_FALSE(backend::lacksReason(node));
  node.reservation.clear();
  node.lastError = "no disk";
  CHECK_FALSE(backend::lacksReason(node));
  node.lastError.clear();
  for (const State state :
       {State::cleanFailed, State::inspectFailed, State::adoptFailed, State::serviceFailed, State::error}) {
    node.provisionState = state;
    CHECK(backend::lacksReason(node));
  }
  for (const State state : {State::enroll, State::active, State::available, State::deploying, State::deployWait}) {
    node.provisionState = state;
    CHECK_FALSE(backend::lacksReason(node));
  }
}

TEST_CASE("the latest error of the history is the reason, but for what is not about the work") {
  CHECK(reasonIn({}).empty());
  CHECK(reasonIn({errorAt("2026-01-01T10:19:59+00:00", "late"), errorAt("2026-01-01T10:19:00+00:00", "early")}) ==
        "late");
  CHECK(
      reasonIn({errorAt("2026-01-01T10:21:00+00:00", "no power", "monitoring"),
                errorAt("2026-01-01T10:20:30+00:00", "no screen", "console"),
                {.createdAt = "2026-01-01T10:20:10+00:00", .severity = "INFO", .eventType = "deploying", .event = "x"},
                errorAt("2026-01-01T10:19:59.5+00:00", "no disk")}) == "no disk");
}

TEST_CASE("an older failure is no reason of this one") {
  CHECK(reasonIn({errorAt("2026-01-01T10:05:00+00:00", "no disk")}) == "no disk");
  CHECK(reasonIn({errorAt("2026-01-01T10:04:59+00:00", "no disk")}).empty());
  CHECK(reasonIn({errorAt("never", "no disk")}).empty());
  CHECK(backend::recordedReason(failedAt(""), {errorAt("2026-01-01T10:05:00+00:00", "no disk")}).empty());
}

TEST_CASE("each operation names what its node failed of also after a power sync") {
  World world;
  SECTION("a deployment") {
    failedDeploymentForgotten(world);
    CHECK_THAT(refusalOf(world.pass(deployment)), Catch::EndsWith("): no disk"));
  }
  SECTION("a deprovisioning") {
    givenForgotten(world, State::error, "no plug");
    const auto removed =
        world.pass([](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "metadata"}); });
    CHECK(refusalOf(removed) == "no plug");
  }
  SECTION("its cleaning") {
    givenForgotten(world, State::cleanFailed, "no shred");
    const auto removed =
        world.pass([](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "metadata"}); });
    CHECK(refusalOf(removed) == "Cleaning failed: no shred");
  }
  SECTION("a preparation") {
    givenForgotten(world, State::cleanFailed, "no shred");
    CHECK(refusalOf(world.pass([](Provisioner& p) { return p.prepare({}); })) == "no shred");
  }
  SECTION("an adoption") {
    givenForgotten(world, State::adoptFailed, "no port");
    const auto adopted = world.pass([](Provisioner& p) { return p.adopt({.state = HostState::provisioned}); });
    CHECK(refusalOf(adopted) == "Host adoption failed: no port");
  }
  SECTION("an inspection") {
    givenForgotten(world, State::inspectFailed, "no lldp");
    const auto inspected = world.pass([](Provisioner& p) { return p.inspectHardware(inBand()); });
    CHECK(refusalOf(inspected) == "no lldp");
  }
  SECTION("an inspection that was aborted is started again") {
    givenForgotten(world, State::inspectFailed, "Inspection was aborted by request.");
    static_cast<void>(world.pass([](Provisioner& p) { return p.inspectHardware(inBand()); }));
    CHECK(world.ironic.verbs().back() == "inspect");
  }
}

TEST_CASE("a history that cannot be read leaves a failure without a reason") {
  World world;
  failedDeploymentForgotten(world);
  world.ironic.failNext("GET", "/history", {.status = 403, .text = "not for you"});
  CHECK_THAT(refusalOf(world.pass(deployment)), Catch::EndsWith("): Ironic gives no reason"));
}
