#include "coordinator/host/ironic/history.hpp"

#include <algorithm>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;

// Between the entry of a failure and the state that follows it a conductor tidies up, which may wait for a BMC.
constexpr base::Duration longestTidying = std::chrono::minutes(15);

// What happens to any node beside the work on it.
bool isAboutWork(const ironic::HistoryEvent& entry) {
  return entry.eventType != "monitoring" && entry.eventType != "console";
}

}  // namespace

bool lacksReason(const ironic::Node& node) {
  switch (node.state()) {
    case State::deployFailed:
    case State::cleanFailed:
    case State::inspectFailed:
    case State::adoptFailed:
    case State::serviceFailed:
    case State::error: return node.lastError.empty() && node.reservation.empty();
    default: return false;
  }
}

std::string errorOf(const ironic::Node& node) {
  return node.lastError.empty() ? "Ironic gives no reason" : node.lastError;
}

std::string recordedReason(const ironic::Node& node, const std::vector<ironic::HistoryEvent>& latestFirst) {
  const auto failed = base::parseTime(node.provisionUpdatedAt);
  const auto latest = std::ranges::find_if(
      latestFirst, [](const auto& entry) { return entry.severity == "ERROR" && isAboutWork(entry); });
  if (!failed || latest == latestFirst.end()) return "";
  const auto written = base::parseTime(latest->createdAt);
  return written && *written >= *failed - longestTidying ? latest->event : "";
}

}  // namespace ingot::coordinator::host::ironic_backend
