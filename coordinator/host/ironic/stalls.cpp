#include "coordinator/host/ironic/stalls.hpp"

#include "coordinator/host/ironic/refusals.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;

constexpr base::Duration longestUnexplained = std::chrono::seconds(60);
// A waiting host is looked at every few seconds, so a look after a longer pause begins a new wait.
constexpr base::Duration waitEndsAfter = std::chrono::minutes(10);
// A ramdisk reports every few minutes, and Ironic gives it up after half an hour (conductor.*_callback_timeout).
constexpr base::Duration longestSilence = std::chrono::hours(1);
// A conductor only asks the BMC for its inventory and changes nothing; after a crash nobody ends such an inspection.
constexpr base::Duration longestInspection = std::chrono::minutes(5);

// Each heartbeat of a ramdisk moves provision_updated_at; a conductor that works by itself moves on from step to step.
std::size_t recordOf(const ironic::Node& node) {
  std::string all = node.provisionState.text();
  for (const std::string* text : {&node.targetProvisionState.text(), &node.provisionUpdatedAt, &node.fault})
    all += '\n' + *text;
  for (const json::Object* step : {&node.cleanStep, &node.deployStep, &node.serviceStep})
    all += '\n' + json::serialize(*step);
  return std::hash<std::string>()(all);
}

std::string reasonOf(const ironic::Node& node) {
  if (!node.lastError.empty()) return node.lastError;
  return node.maintenanceReason.empty() ? "it gives no reason" : node.maintenanceReason;
}

std::string faultOf(const ironic::Node& node) {
  if (node.fault == "power failure") {
    return fmt::format("Ironic has lost the BMC of node {} ({}): {}; it looks for it again every few minutes",
                       node.uuid, node.fault, reasonOf(node));
  }
  return fmt::format(
      "Ironic keeps node {} in maintenance ({}): {}; remove the cause, then end the maintenance: baremetal node "
      "maintenance unset {}",
      node.uuid, node.fault, reasonOf(node), node.uuid);
}

// The reason may be written a moment after the state, by the task that still holds the node.
bool awaitsReason(const ironic::Node& node) {
  return node.state() == State::deployFailed && node.lastError.empty() && !node.reservation.empty();
}

std::string whoHolds(const ironic::Node& node) {
  if (node.reservation.empty())
    return "no conductor of Ironic's holds it: see whether one runs, and what the machine's console shows";
  return fmt::format("Ironic's conductor {} holds it: if that one has crashed, restart it", node.reservation);
}

std::string silenceOf(const ironic::Node& node, const std::string& time) {
  return fmt::format("node {} has been in state \"{}\" for more than {} without a sign of progress; {}", node.uuid,
                     node.provisionState.text(), time, whoHolds(node));
}

}  // namespace

base::Duration Stalls::note(const ironic::Node& node, base::MonoTime now) {
  if (all_.size() >= pruneAt_) prune(now);
  const std::size_t record = recordOf(node);
  Look& look = all_.try_emplace(node.uuid, Look{record, now, now}).first->second;
  if (look.record != record || now - look.last > waitEndsAfter) look = {record, now, now};
  look.last = now;
  return now - look.since;
}

void Stalls::prune(base::MonoTime now) {
  std::erase_if(all_, [&](const auto& item) { return now - item.second.last > waitEndsAfter; });
  pruneAt_ = std::max<std::size_t>(64, 2 * all_.size());
}

std::string obstacleToWait(const ironic::Node& node, base::Duration unchanged) {
  if (unchanged < longestUnexplained) return "";
  if (awaitsReason(node)) return obstacleOf(node, "");
  if (node.state() == State::inspecting && unchanged >= longestInspection)
    return silenceOf(node, fmt::format("{} min", longestInspection / std::chrono::minutes(1)));
  return node.fault.empty() ? "" : faultOf(node);
}

std::string whyHeldWhileLent(const ironic::Node& node) {
  return fmt::format("node {} is lent to an agent, and {}; {}", node.uuid,
                     node.targetPowerState.empty() ? "locked in Ironic all the same"
                                                   : fmt::format("on its way to \"{}\"", node.targetPowerState),
                     whoHolds(node));
}

std::string stallOf(const ironic::Node& node, base::Duration unchanged) {
  if (unchanged < longestSilence || !isTransient(node.state())) return "";
  return silenceOf(node, fmt::format("{} h", unchanged / std::chrono::hours(1)));
}

}  // namespace ingot::coordinator::host::ironic_backend
