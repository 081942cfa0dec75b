// How far a machine has come, from its Machine to its Node, and what stands in its way. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/capm3/v1beta2/remediation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::cli {

// A Metal3Machine and what it hangs on, as far as that is there.
struct MachinePicture {
  api::capm3::v1beta2::Metal3Machine machine;
  std::optional<api::capi::Machine> owner;
  std::optional<api::capm3::v1beta2::Metal3DataClaim> claim;
  std::optional<api::capm3::v1beta2::Metal3Data> data;
  std::optional<api::BareMetalHost> host;
  std::optional<api::capm3::v1beta2::Metal3Remediation> remediation;
};

struct Obstacle {
  std::string waitsFor;            // "a host"
  std::vector<std::string> facts;  // why, in the words of who has decided it
  std::optional<base::WallTime> since;
  std::string next;       // what helps, or who acts next
  bool isOfHost = false;  // the host is what is not ready
};

// The first thing that is not ready; nullopt: its Node is there and nobody is restarting it.
[[nodiscard]] std::optional<Obstacle> obstacleOf(const MachinePicture& picture, base::WallTime now);

// The Machine that owns it; "" for none.
[[nodiscard]] std::string ownerMachineOf(const kube::ObjectMeta& metadata);

// "edge" of label cluster.x-k8s.io/cluster-name; "" for none.
[[nodiscard]] std::string clusterNameOf(const kube::ObjectMeta& metadata);

// The first of these conditions that is there and not True, one that says Paused before all; nullptr: none.
[[nodiscard]] const kube::Condition* firstOpen(const std::vector<kube::Condition>& conditions,
                                               std::initializer_list<std::string_view> types);

}  // namespace ingot::cli
