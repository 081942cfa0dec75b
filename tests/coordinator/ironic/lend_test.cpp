// What a node says of an agent that erases the disks of its machine (docs/decisions/0022).
#include "coordinator/host/ironic/ownership.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::host::ironic_backend;

namespace {

ironic::Node nodeOf(ironic::State state) {
  ironic::Node node;
  node.provisionState = state;
  return node;
}

ironic::Node lentNode() {
  auto node = nodeOf(ironic::State::available);
  node.maintenance = true;
  node.maintenanceReason = lentReason;
  return node;
}

}  // namespace

TEST_CASE("a node is lent in maintenance for our reason, while Ironic is at no work of its own", "[ironic]") {
  CHECK(isLent(lentNode()));
  auto node = lentNode();
  SECTION("no maintenance") { node.maintenance = false; }
  SECTION("an operator's reason") { node.maintenanceReason = "disk swap"; }
  SECTION("a fault") { node.fault = "power failure"; }
  SECTION("a reservation") { node.reservation = "conductor"; }
  SECTION("a power target") { node.targetPowerState = "power on"; }
  CHECK_FALSE(isLent(node));
}

TEST_CASE("a lent machine stays as it is while Ironic takes note of what was proved, and for no other power",
          "[ironic]") {
  auto node = lentNode();
  for (const auto proved : {std::optional<bool>(), std::optional(true), std::optional(false)})
    CHECK(leavesLentAsItIs(node, proved));
  node.reservation = "conductor";
  CHECK(leavesLentAsItIs(node, std::nullopt));
  node.targetPowerState = "power on";
  CHECK(leavesLentAsItIs(node, true));
  CHECK_FALSE(leavesLentAsItIs(node, false));
  CHECK_FALSE(leavesLentAsItIs(node, std::nullopt));
  node.targetPowerState = "power off";
  CHECK(leavesLentAsItIs(node, false));
  CHECK_FALSE(leavesLentAsItIs(node, true));
  node.targetPowerState = "rebooting";
  CHECK_FALSE(leavesLentAsItIs(node, true));
}

TEST_CASE("a machine that is lent no more, or that Ironic works on, may be changed", "[ironic]") {
  auto node = lentNode();
  SECTION("no maintenance") { node.maintenance = false; }
  SECTION("an operator's reason") { node.maintenanceReason = "disk swap"; }
  SECTION("a fault") { node.fault = "power failure"; }
  SECTION("a target") { node.targetProvisionState = ironic::State::active; }
  SECTION("work") { node.provisionState = ironic::State::cleaning; }
  CHECK_FALSE(leavesLentAsItIs(node, true));
}

TEST_CASE("an erasure is owed by a node that is marked and torn down", "[ironic]") {
  using enum ironic::State;
  for (const auto state : {available, manageable, active, deleting, cleaning, ironic::State::error}) {
    INFO(json::textOf(state));
    auto node = nodeOf(state);
    CHECK_FALSE(owesErasure(node));
    node.extra[owedMark] = true;
    CHECK(owesErasure(node) == (state == available));
    node.extra[owedMark] = "yes";
    CHECK_FALSE(owesErasure(node));
  }
}
