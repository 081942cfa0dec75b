// What a kubelet writes: pure.
#pragma once

#include "base/clock.hpp"
#include "sim/firstboot/membership.hpp"

#include <string>
#include <vector>

namespace ingot::sim::kubelet {

// What a machine can tell of itself.
struct MachineFacts {
  std::string uuid;
  std::vector<std::string> addresses;
};

inline constexpr std::string_view leaseNamespace = "kube-node-lease";
inline constexpr std::string_view controlPlaneComponents[] = {"kube-apiserver", "kube-controller-manager",
                                                              "kube-scheduler"};

[[nodiscard]] json::Value nodeObject(const firstboot::NodeRegistration& registration);
// Of that Node, which owns it.
[[nodiscard]] json::Value leaseObject(const json::Value& node, base::WallTime now);
// The mirror of a static Pod of that Node.
[[nodiscard]] json::Value mirrorPod(std::string_view component, const json::Value& node);
[[nodiscard]] json::Value readyPodStatus(base::WallTime now);
[[nodiscard]] bool isReadyPod(const json::Value& pod);

// The status of a Node that is well: a merge patch. Conditions of others stay, and times of transitions where nothing
// changed.
[[nodiscard]] json::Value wellNodeStatus(const json::Value& node, const MachineFacts& facts, const std::string& version,
                                         base::WallTime now);

}  // namespace ingot::sim::kubelet
