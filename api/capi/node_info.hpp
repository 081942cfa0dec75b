// Parts of a Machine's status that both versions have.
#pragma once

#include "json/describe.hpp"

#include <optional>
#include <string>

namespace ingot::api::capi {

struct NodeSwap {
  std::optional<std::int64_t> capacity;

  static void describe(auto& v) {
    v.field("capacity", &NodeSwap::capacity).format("int64").doc("Size of the swap space in bytes.");
  }
  friend bool operator==(const NodeSwap&, const NodeSwap&) = default;
};

// NodeSystemInfo of the node.
struct NodeInfo {
  std::string machineID, systemUUID, bootID, kernelVersion, osImage, containerRuntimeVersion, kubeletVersion,
      kubeProxyVersion, operatingSystem, architecture;
  std::optional<NodeSwap> swap;

  static void describe(auto& v) {
    using S = NodeInfo;
    v.field("machineID", &S::machineID).required().doc("Machine ID that the node reports.");
    v.field("systemUUID", &S::systemUUID).required().doc("System UUID that the node reports.");
    v.field("bootID", &S::bootID).required().doc("Boot ID that the node reports.");
    v.field("kernelVersion", &S::kernelVersion).required().doc("Version of the kernel.");
    v.field("osImage", &S::osImage).required().doc("Name of the operating system's image.");
    v.field("containerRuntimeVersion", &S::containerRuntimeVersion).required().doc("Version of the container runtime.");
    v.field("kubeletVersion", &S::kubeletVersion).required().doc("Version of the kubelet.");
    v.field("kubeProxyVersion", &S::kubeProxyVersion).required().doc("Version of kube-proxy; no longer set.");
    v.field("operatingSystem", &S::operatingSystem).required().doc("Operating system.");
    v.field("architecture", &S::architecture).required().doc("Architecture of the processor.");
    v.field("swap", &S::swap).doc("Swap space.");
  }
  friend bool operator==(const NodeInfo&, const NodeInfo&) = default;
};

// How far a deletion is.
struct MachineDeletionStatus {
  std::optional<base::WallTime> nodeDrainStartTime, waitForNodeVolumeDetachStartTime, waitForPreDrainHookStartTime,
      waitForPreTerminateHookStartTime;

  static void describe(auto& v) {
    using S = MachineDeletionStatus;
    v.field("nodeDrainStartTime", &S::nodeDrainStartTime).doc("When the drain of the node began.");
    v.field("waitForNodeVolumeDetachStartTime", &S::waitForNodeVolumeDetachStartTime)
        .doc("When the wait for volumes to be detached began.");
    v.field("waitForPreDrainHookStartTime", &S::waitForPreDrainHookStartTime)
        .doc("When the wait for hooks before the drain began.");
    v.field("waitForPreTerminateHookStartTime", &S::waitForPreTerminateHookStartTime)
        .doc("When the wait for hooks before the termination began.");
  }
  friend bool operator==(const MachineDeletionStatus&, const MachineDeletionStatus&) = default;
};

}  // namespace ingot::api::capi
