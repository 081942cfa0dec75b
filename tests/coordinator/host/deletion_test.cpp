#include "coordinator/host/deletion.hpp"

#include "tests/coordinator/host/hosts.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::deletion {
namespace {

using namespace coordinator::host;
using enum State;

struct Row {
  State from;
  std::optional<State> to;
};

TEST_CASE("deletion sends each state on its way out", "[host][deletion]") {
  const Row rows[] = {
      {none, deleting},
      {unmanaged, deleting},
      {registering, deleting},
      {provisioning, deprovisioning},
      {provisioned, deprovisioning},
      {inspecting, poweringOffBeforeDelete},
      {matchProfile, poweringOffBeforeDelete},
      {preparing, poweringOffBeforeDelete},
      {available, poweringOffBeforeDelete},
      {ready, poweringOffBeforeDelete},
      {externallyProvisioned, poweringOffBeforeDelete},
      {deprovisioning, std::nullopt},
      {poweringOffBeforeDelete, std::nullopt},
      {deleting, std::nullopt},
  };
  for (const Row& row : rows) {
    INFO(text(row.from));
    CHECK(deletionTarget(aHost(row.from).beingDeleted(), row.from) == row.to);
    CHECK(deletionTarget(aHost(row.from), row.from) == std::nullopt);
  }
}

TEST_CASE("a host that cannot be registered any more is let go after some tries", "[host][deletion]") {
  for (const auto& [state, next] :
       {std::pair{deprovisioning, poweringOffBeforeDelete}, std::pair{poweringOffBeforeDelete, deleting}}) {
    CHECK(deletionTarget(aHost(state).beingDeleted().failed(ErrorType::registration, 3), state) == std::nullopt);
    CHECK(deletionTarget(aHost(state).beingDeleted().failed(ErrorType::registration, 4), state) == next);
    CHECK(deletionTarget(aHost(state).beingDeleted().failed(ErrorType::provisioning, 4), state) == std::nullopt);
  }
}

std::optional<State> givenUp(const api::BareMetalHost& host, const Step& step) {
  const auto instead = giveUp(host, true, &step, nullptr);
  return instead ? std::optional(instead->to) : std::nullopt;
}

TEST_CASE("the fourth failure in a row ends a step of the deletion", "[host][deletion]") {
  const Step failure = Fail{ErrorType::provisioning, "no"};
  CHECK(givenUp(aHost(deprovisioning).beingDeleted().failed(ErrorType::provisioning, 2), failure) == std::nullopt);
  CHECK(givenUp(aHost(deprovisioning).beingDeleted().failed(ErrorType::provisioning, 3), failure) ==
        poweringOffBeforeDelete);
  CHECK(givenUp(aHost(poweringOffBeforeDelete).beingDeleted().failed(ErrorType::powerManagement, 3), failure) ==
        deleting);
  CHECK(givenUp(aHost(deprovisioning).failed(ErrorType::provisioning, 9), failure) == std::nullopt);  // not deleted
  CHECK(givenUp(aHost(deprovisioning).beingDeleted().failed(ErrorType::provisioning, 9), Stay{}) == std::nullopt);
}

TEST_CASE("without credentials a backend that lost the host cannot hold its deletion", "[host][deletion]") {
  const ProvisionerError lost(ProvisionerError::Code::needsRegistration, "no node");
  const ProvisionerError down(ProvisionerError::Code::transient, "connection refused");
  const auto host = aHost(deprovisioning).beingDeleted().build();
  const ProvisionerError foreign(ProvisionerError::Code::foreignNode, "another host's");
  for (const auto* error : {&lost, &foreign}) {
    CHECK(giveUp(host, false, nullptr, error)->to == poweringOffBeforeDelete);  // which an agent may do without
    CHECK(giveUp(aHost(poweringOffBeforeDelete).beingDeleted(), false, nullptr, error)->to == deleting);
    CHECK_FALSE(giveUp(host, true, nullptr, error));
  }
  CHECK_FALSE(giveUp(host, false, nullptr, &down));
}

}  // namespace
}  // namespace ingot::tests::deletion
