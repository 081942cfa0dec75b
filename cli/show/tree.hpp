// `ingotctl tree cluster` as text.
#pragma once

#include "api/capm3/v1beta2/metal3_cluster.hpp"
#include "cli/decide/machine_progress.hpp"

#include <map>
#include <string>
#include <vector>

namespace ingot::cli {

// An object that owns Machines, of a kind that is not ours: KubeadmControlPlane, MachineDeployment …
struct MachineOwner {
  std::string kind, name;
  std::string trouble;                                 // what it says of itself while it is not what it should be
  std::optional<std::size_t> replicas = std::nullopt;  // machines that it should have
};

struct ClusterPicture {
  api::capi::Cluster cluster;
  std::optional<api::capm3::v1beta2::Metal3Cluster> infrastructure;
  std::vector<MachineOwner> owners;  // those that may have no machine yet, the control plane first
  std::vector<MachinePicture> machines;
  std::vector<api::capi::Machine> bare;                       // that no Metal3Machine belongs to
  std::map<std::string, std::vector<std::string>> addresses;  // by Metal3Data: "192.0.2.7 (pool provisioning)"
  std::set<std::string, std::less<>> unread;                  // kinds that could not be read
};

// Cluster, control plane and deployments, machines, each with its host and addresses. Each branch tells the first thing
// on it that is not ready.
[[nodiscard]] std::string clusterTree(const ClusterPicture& picture, base::WallTime now);

}  // namespace ingot::cli
