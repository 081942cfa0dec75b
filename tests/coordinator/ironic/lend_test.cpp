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
