// Who may change a host's power, boot or disks (docs/architecture.md).
#include "coordinator/ownership/ownership.hpp"

#include <catch2/catch.hpp>

using namespace ingot::coordinator::ownership;
using State = ingot::api::ProvisioningState;

TEST_CASE("ownership follows from what is known, and from nothing else") {
  constexpr IronicView resting{.busy = false, .current = true}, busy{.busy = true, .current = true},
      stale{.busy = false, .current = false}, lent{.busy = false, .current = true, .isLent = true};
  struct Row {
    std::string_view what;
    Situation situation;
    Owner owner;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"at rest, without Ironic", {.hostState = State::available}, Owner::agent},
      {"at rest, Ironic too", {.hostState = State::provisioned, .ironic = resting}, Owner::agent},
      {"externally provisioned", {.hostState = State::externallyProvisioned, .ironic = resting}, Owner::agent},
      {"Ironic works", {.hostState = State::available, .ironic = busy}, Owner::ironic},
      {"a request was sent, nothing heard since", {.hostState = State::available, .ironic = stale}, Owner::nobody},
      {"about to be registered", {.hostState = State::registering}, Owner::ironic},
      {"about to be inspected", {.hostState = State::inspecting, .ironic = resting}, Owner::ironic},
      {"about to be deployed", {.hostState = State::provisioning, .ironic = resting}, Owner::ironic},
      {"about to be torn down", {.hostState = State::deprovisioning, .ironic = resting}, Owner::ironic},
      {"lent to an agent for its disks", {.hostState = State::deprovisioning, .ironic = lent}, Owner::agent},
      {"lent, and being deleted",
       {.hostState = State::deprovisioning, .beingDeleted = true, .ironic = lent},
       Owner::agent},
      {"lent, and paused", {.hostState = State::deprovisioning, .paused = true, .ironic = lent}, Owner::nobody},
      {"lent to an agent that boots it", {.hostState = State::provisioning, .ironic = lent}, Owner::agent},
      {"lent, says the node of a host in another state",
       {.hostState = State::preparing, .ironic = lent},
       Owner::ironic},
      {"lent, and Ironic works all the same",
       {.hostState = State::deprovisioning, .ironic = IronicView{.busy = true, .current = true, .isLent = true}},
       Owner::ironic},
      {"lent, a request was sent since",
       {.hostState = State::deprovisioning, .ironic = IronicView{.busy = false, .current = false, .isLent = true}},
       Owner::nobody},
      {"being deleted", {.hostState = State::available, .beingDeleted = true, .ironic = resting}, Owner::ironic},
      {"switched off before its deletion",
       {.hostState = State::poweringOffBeforeDelete, .beingDeleted = true, .ironic = resting},
       Owner::agent},
      {"to be deleted while Ironic still works",
       {.hostState = State::poweringOffBeforeDelete, .beingDeleted = true, .ironic = busy},
       Owner::ironic},
      {"deleted from Ironic", {.hostState = State::deleting, .beingDeleted = true, .ironic = resting}, Owner::ironic},
      {"paused", {.hostState = State::available, .paused = true, .ironic = resting}, Owner::nobody},
      {"paused while Ironic works", {.hostState = State::available, .paused = true, .ironic = busy}, Owner::ironic},
      {"a state of a later version", {.hostState = std::nullopt, .ironic = resting}, Owner::ironic},
      {"no state yet", {.hostState = State::none}, Owner::ironic},
      {"agents alone, about to be deployed", {.hostState = State::provisioning, .agentsOnly = true}, Owner::agent},
      {"agents alone, being deleted",
       {.hostState = State::deprovisioning, .beingDeleted = true, .agentsOnly = true},
       Owner::agent},
      {"agents alone, no state yet", {.hostState = State::none, .agentsOnly = true}, Owner::agent},
      {"agents alone, a state of a later version", {.hostState = std::nullopt, .agentsOnly = true}, Owner::agent},
      {"agents alone, paused", {.hostState = State::provisioning, .paused = true, .agentsOnly = true}, Owner::nobody},
  }));
  INFO(row.what);
  CHECK(ownerOf(row.situation) == row.owner);
}
