// How far a machine has come, from its Machine to its Node, and what stands in its way. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/capm3/v1beta2/remediation.hpp"
#include "kube/core/event.hpp"

#include <optional>
#include <set>
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
  std::vector<kube::Event> remediationEvents;
  std::set<std::string, std::less<>> unread;  // kinds that could not be read: what is not here may be there
};

[[nodiscard]] inline bool isUnread(const MachinePicture& picture, std::string_view kind) {
  return picture.unread.contains(kind);
}

struct Obstacle {
  std::string waitsFor;            // "a host"
  std::vector<std::string> facts;  // why, in the words of who has decided it
  std::optional<base::WallTime> since;
  std::string next;       // what helps, or who acts next
  bool isOfHost = false;  // the host is what is not ready
};

// The first thing that is not ready; nullopt: its host is on, its Node is there and as healthy as Cluster API sees it.
// Where Cluster API's managers do not run, it is enough that the coordinator has provisioned it.
[[nodiscard]] std::optional<Obstacle> obstacleOf(const MachinePicture& picture, base::WallTime now);

// The host that its annotation names, which whoever may write the machine may make any one: whether that host agrees,
// and whether at least it does not name another consumer.
[[nodiscard]] bool isItsHost(const MachinePicture& picture);
[[nodiscard]] bool mayBeItsHost(const MachinePicture& picture);

// Nobody goes on with it (spec/capm3.md §18.4); and its host being switched off by hand is why.
[[nodiscard]] bool hasFailedForGood(const std::optional<api::capm3::v1beta2::Metal3Remediation>& remediation);
[[nodiscard]] bool isOffByWish(const MachinePicture& picture);

// "host n1 is used by Metal3Machine metal3/m2". The host is there.
[[nodiscard]] std::string consumerText(const MachinePicture& picture);

// When it was told last; nullopt: that is not known.
[[nodiscard]] std::optional<base::WallTime> lastTimeOf(const kube::Event& event);

// The Machine that owns it; "" for none.
[[nodiscard]] std::string ownerMachineOf(const kube::ObjectMeta& metadata);

// "edge" of label cluster.x-k8s.io/cluster-name; "" for none.
[[nodiscard]] std::string clusterNameOf(const kube::ObjectMeta& metadata);

// The first of these conditions that is there and not True, one that says Paused before all; nullptr: none.
[[nodiscard]] const kube::Condition* firstOpen(const std::vector<kube::Condition>& conditions,
                                               std::initializer_list<std::string_view> types);

}  // namespace ingot::cli
