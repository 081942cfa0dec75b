// Does Ironic own this node now? While it does, nobody else may change the host's power, boot or disks
// (docs/architecture.md). Derived from what the node looks like, never stored. Pure.
#pragma once

#include "ironic-client/node_patch.hpp"

#include <optional>
#include <string_view>

namespace ingot::coordinator::host::ironic_backend {

// Ironic is at work on the node or about to be: transient provision state, a provision or power target, a reservation.
[[nodiscard]] bool ironicOwns(const ironic::Node& node);

// In `extra` of a node that was torn down without cleaning, because an agent erases the disks.
inline constexpr std::string_view owedMark = "ingot_erasure_owed";
// It is torn down, the disks are as they were, and it is not on its way to a cleaning.
[[nodiscard]] bool owesErasure(const ironic::Node& node);

// In `extra` of a node whose machine an agent boots from a live ISO: how far that has come.
enum class BootPhase {
  none,
  lent,    // an agent may have had it boot
  booted,  // and has proved it; the node is to become "active" without a deployment
  ejected  // what it booted from is out again
};
inline constexpr std::string_view bootMark = "ingot_live_iso";
[[nodiscard]] std::string_view textOf(BootPhase phase);  // as the mark says it
[[nodiscard]] BootPhase bootPhaseOf(const ironic::Node& node);
void setBootPhase(ironic::NodePatch& patch, BootPhase phase);
// What an agent was to boot may be in the machine's drives, whoever has deployed what since.
[[nodiscard]] bool owesEjection(const ironic::Node& node);
// The machine runs what an agent has booted: the image that is on record, which nobody has deployed another one over.
[[nodiscard]] bool isBootedByAgent(const ironic::Node& node);

// The node is in maintenance for an agent that works on its machine: Ironic's power sync leaves it alone then.
inline constexpr std::string_view lentReason = "ingot: lent to an agent, which erases the disks";
inline constexpr std::string_view lentToBootReason = "ingot: lent to an agent, which boots the host";
[[nodiscard]] bool isMarkedLent(const ironic::Node& node);
// … and Ironic is at no work of its own.
[[nodiscard]] bool isLent(const ironic::Node& node);
// … or at none but to take note of this power, which somebody has proved, or to look at the node: the machine stays as
// it is.
[[nodiscard]] bool leavesLentAsItIs(const ironic::Node& node, std::optional<bool> provedOn);

}  // namespace ingot::coordinator::host::ironic_backend
