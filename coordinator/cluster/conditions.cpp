#include "coordinator/cluster/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::coordinator::cluster {
namespace {

using api::capi::LegacyCondition;

// The worst first, as Cluster API has it: Unknown after True, and False without a severity last.
int rankOf(const LegacyCondition& condition) {
  static constexpr std::array<std::string_view, 3> severities{"Error", "Warning", "Info"};
  if (condition.status == "True") return 3;
  if (condition.status == "Unknown") return 4;
  const auto rank = std::ranges::find(severities, condition.severity) - severities.begin();
  return rank < 3 ? static_cast<int>(rank) : 5;
}

std::string lineOf(std::string_view type, const kube::Condition* condition) {
  if (condition == nullptr) return fmt::format("* {}: Condition not yet reported", type);
  return fmt::format("* {}: {}", type, condition->message.empty() ? condition->reason : condition->message);
}

}  // namespace

kube::Condition summaryOf(const std::vector<kube::Condition>& all, std::span<const std::string_view> types) {
  bool isFalse = false;
  std::string message;
  for (const std::string_view type : types) {
    const kube::Condition* condition = kube::findCondition(all, type);
    if (condition != nullptr && condition->status == "True") continue;
    isFalse = isFalse || (condition != nullptr && condition->status == "False");
    if (!message.empty()) message += '\n';
    message += lineOf(type, condition);
  }
  kube::Condition ready{.type = std::string(kReady), .status = "True", .reason = "Ready"};
  if (message.empty()) return ready;
  ready.status = isFalse ? "False" : "Unknown";
  ready.reason = isFalse ? "NotReady" : "ReadyUnknown";
  ready.message = std::move(message);
  return ready;
}

std::optional<LegacyCondition> legacySummaryOf(const std::vector<LegacyCondition>& all,
                                               std::span<const std::string_view> types) {
  const LegacyCondition* worst = nullptr;
  for (const std::string_view type : types) {
    const auto found = std::ranges::find(all, type, &LegacyCondition::type);
    if (found != all.end() && (worst == nullptr || rankOf(*found) < rankOf(*worst))) worst = &*found;
  }
  if (worst == nullptr) return std::nullopt;
  LegacyCondition ready = *worst;
  ready.type = kReady;
  ready.lastTransitionTime.reset();
  return ready;
}

void setLegacyCondition(std::vector<LegacyCondition>& all, LegacyCondition wanted, base::WallTime now) {
  const auto found = std::ranges::find(all, wanted.type, &LegacyCondition::type);
  wanted.lastTransitionTime = std::chrono::floor<std::chrono::seconds>(now);
  if (found == all.end()) {
    all.insert(wanted.type == kReady ? all.begin() : all.end(), std::move(wanted));
    return;
  }
  LegacyCondition same = wanted;
  same.lastTransitionTime = found->lastTransitionTime;
  if (same != *found) *found = std::move(wanted);
}

}  // namespace ingot::coordinator::cluster
