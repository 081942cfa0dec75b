// The objects that a Metal3Remediation is about (spec/capm3.md §18.1). Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"

#include <memory>
#include <optional>

namespace ingot::coordinator::remediation {

using api::capi::Cluster;
using api::capi::Machine;
using api::capm3::v1beta2::Metal3Machine;

// nullptr: there is none.
struct Surroundings {
  std::shared_ptr<const Machine> machine;  // the owner
  std::shared_ptr<const Cluster> cluster;
  std::shared_ptr<const Metal3Machine> metal;

  // The machine goes, or is gone, and takes its Node along.
  [[nodiscard]] bool nodeGoes() const {
    return !machine || machine->metadata.beingDeleted() || !cluster || cluster->metadata.beingDeleted();
  }
};

[[nodiscard]] kube::ObjectKey clusterOf(const Machine& machine);
// The Metal3Machine that the Machine names; nullopt: it names another kind.
[[nodiscard]] std::optional<kube::ObjectKey> metalMachineOf(const Machine& machine);

// Changes of these objects that may let a remediation go on; every other one leaves it as it is.
[[nodiscard]] bool mattersToRemediation(const Machine& before, const Machine& after);
[[nodiscard]] bool mattersToRemediation(const Cluster& before, const Cluster& after);
[[nodiscard]] bool mattersToRemediation(const Metal3Machine& before, const Metal3Machine& after);
[[nodiscard]] bool mattersToRemediation(const api::BareMetalHost& before, const api::BareMetalHost& after);

}  // namespace ingot::coordinator::remediation
