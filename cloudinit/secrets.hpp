// The Secrets that carry a machine's data (spec/capm3.md §15.6), and which user data it gets (§10.2).
#pragma once

#include "api/capi/machine.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "cloudinit/snapshot.hpp"
#include "kube/core/secret.hpp"

namespace ingot::cloudinit {

struct SecretOwner {
  const api::capm3::v1beta2::Metal3Data& data;
  std::string_view metal3Machine;  // its name
  std::string_view clusterName;    // of the Machine
};

// Named by the Metal3Data, or <Metal3Machine>-metadata and <Metal3Machine>-networkdata; labelled with the cluster,
// owned by the Metal3Data. Throws RenderError for a name or label that Kubernetes would refuse.
[[nodiscard]] kube::Secret metaDataSecret(const SecretOwner& owner, std::string text);
[[nodiscard]] kube::Secret networkDataSecret(const SecretOwner& owner, std::string text);

// The Secret with the machine's user data: the one chosen before, else the bootstrap data of the Machine, else the
// Metal3Machine's own, which must be in its namespace. nullopt: none yet.
[[nodiscard]] std::optional<api::SecretReference> userDataFor(const api::capi::Machine& machine,
                                                              const api::capm3::v1beta2::Metal3Machine& metal3Machine);

}  // namespace ingot::cloudinit
