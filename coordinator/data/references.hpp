// Which objects belong to a Metal3DataClaim and to a Metal3Data (spec/capm3.md §15). Pure.
#pragma once

#include "api/capi/machine.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "coordinator/cluster/owners.hpp"

#include <optional>

namespace ingot::coordinator::data {

using api::capi::Machine;
using api::capm3::v1beta2::Metal3Data;
using api::capm3::v1beta2::Metal3DataClaim;
using api::capm3::v1beta2::Metal3DataTemplate;
using api::capm3::v1beta2::Metal3Machine;

// The first owner of this kind, as a key in the namespace of the object that is owned; nullopt: none.
template <kube::Kind Owner>
[[nodiscard]] std::optional<kube::ObjectKey> ownerKey(const kube::ObjectMeta& metadata) {
  const auto* owner = cluster::ownerOfKind(metadata, Owner::info);
  if (owner == nullptr) return std::nullopt;
  return kube::ObjectKey{metadata.namespace_, owner->name};
}

// The template in the object's own namespace that it names; nullopt: none, or one of another namespace.
[[nodiscard]] std::optional<kube::ObjectKey> templateOf(const Metal3DataClaim& claim);
[[nodiscard]] std::optional<kube::ObjectKey> templateOf(const Metal3Data& data);

[[nodiscard]] std::optional<kube::ObjectKey> claimOf(const Metal3Data& data);

// The machine that runs, or will run, with the claim's data. The claim is called as its machine is: as long as that
// holds it, it is known without an owner reference, too, which anybody may take away.
struct MachineOf {
  kube::ObjectKey key;
  std::string uid;  // "": whichever is called so

  [[nodiscard]] bool is(const Metal3Machine& machine) const { return uid.empty() || machine.metadata.uid == uid; }
};
[[nodiscard]] std::optional<MachineOf> machineOf(const Metal3DataClaim& claim);

// The Cluster that the label names.
[[nodiscard]] std::optional<kube::ObjectKey> clusterOf(const kube::ObjectMeta& metadata);

// Whether these data were made for this very claim, not for an earlier one of its name. Data without an owner, which
// somebody made by hand, count as made for it.
[[nodiscard]] bool isMadeFor(const Metal3Data& data, const Metal3DataClaim& claim);

// The name of the Metal3Data that the claim says it has; "": none.
[[nodiscard]] std::string renderedName(const Metal3DataClaim& claim);

// Whether the machine runs, or will run, with these data. nullptr: there is no machine.
[[nodiscard]] bool isTakenBy(const Metal3Data& data, const Metal3Machine* machine);

}  // namespace ingot::coordinator::data
