// Who may change a host's power, boot or disks (DESIGN §2).
#include "coordinator/ownership/ownership.hpp"

#include <catch2/catch.hpp>

using namespace ingot::coordinator::ownership;

TEST_CASE("ownership follows from what is known, and from nothing else") {
  constexpr IronicView resting{.busy = false, .current = true}, busy{.busy = true, .current = true},
      stale{.busy = false, .current = false};
  struct Row {
    std::string_view what;
    Situation situation;
    Owner owner;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"at rest, without Ironic", {.hostState = "available"}, Owner::agent},
      {"at rest, Ironic too", {.hostState = "provisioned", .ironic = resting}, Owner::agent},
      {"externally provisioned", {.hostState = "externally provisioned", .ironic = resting}, Owner::agent},
      {"Ironic works", {.hostState = "available", .ironic = busy}, Owner::ironic},
      {"a request was sent, nothing heard since", {.hostState = "available", .ironic = stale}, Owner::nobody},
      {"about to be registered", {.hostState = "registering"}, Owner::ironic},
      {"about to be inspected", {.hostState = "inspecting", .ironic = resting}, Owner::ironic},
      {"about to be deployed", {.hostState = "provisioning", .ironic = resting}, Owner::ironic},
      {"about to be torn down", {.hostState = "deprovisioning", .ironic = resting}, Owner::ironic},
      {"being deleted", {.hostState = "available", .beingDeleted = true, .ironic = resting}, Owner::ironic},
      {"switched off before its deletion",
       {.hostState = "powering off before delete", .beingDeleted = true, .ironic = resting},
       Owner::agent},
      {"to be deleted while Ironic still works",
       {.hostState = "powering off before delete", .beingDeleted = true, .ironic = busy},
       Owner::ironic},
      {"deleted from Ironic", {.hostState = "deleting", .beingDeleted = true, .ironic = resting}, Owner::ironic},
      {"paused", {.hostState = "available", .paused = true, .ironic = resting}, Owner::nobody},
      {"paused while Ironic works", {.hostState = "available", .paused = true, .ironic = busy}, Owner::ironic},
      {"a state of a later version", {.hostState = "servicing", .ironic = resting}, Owner::ironic},
      {"no state yet", {.hostState = ""}, Owner::ironic},
  }));
  INFO(row.what);
  CHECK(ownerOf(row.situation) == row.owner);
}
