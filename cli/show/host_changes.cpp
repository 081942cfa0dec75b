#include "cli/show/host_changes.hpp"

#include "cli/words/plain_text.hpp"
#include "cli/words/power.hpp"
#include "kube/runtime/conditions.hpp"

#include <array>

namespace ingot::cli {
namespace {

std::string powerText(const api::BareMetalHost& host) {
  switch (powerOf(host).state) {
    case PowerKnowledge::State::never: break;
    case PowerKnowledge::State::unknown: return "unknown";
    case PowerKnowledge::State::on: return "on";
    case PowerKnowledge::State::off: return "off";
  }
  return "";
}

std::string healthText(const api::BareMetalHost& host) {
  const auto* health = kube::findCondition(host.status.conditions, "Healthy");
  return health == nullptr || health->status == "Unknown" ? std::string() : health->reason;
}

std::string shownError(const api::BareMetalHost& host) {
  if (host.status.errorType.empty()) return host.status.errorMessage;
  return fmt::format("{}: {}", host.status.errorType, host.status.errorMessage);
}

struct Aspect {
  std::string_view what;
  std::string (*of)(const api::BareMetalHost&);
};

constexpr std::array<Aspect, 6> aspects{
    {{"state", [](const api::BareMetalHost& host) { return host.status.provisioning.state; }},
     {"power", powerText},
     {"wanted", [](const api::BareMetalHost& host) { return std::string(host.spec.online ? "on" : "off"); }},
     {"health", healthText},
     {"error", shownError},
     {"consumer", [](const api::BareMetalHost& host) {
        return host.spec.consumerRef ? host.spec.consumerRef->name : std::string();
      }}}};

std::string shownOr(const std::string& text) { return text.empty() ? "-" : plainCell(text); }

}  // namespace

std::vector<HostChange> changesBetween(const api::BareMetalHost* before, const api::BareMetalHost* after) {
  if (before == nullptr && after == nullptr) return {};
  if (before == nullptr) {
    const auto& state = after->status.provisioning.state;
    return {{"host", "", state.empty() ? "new" : state}};
  }
  if (after == nullptr) return {{"host", before->status.provisioning.state, "deleted"}};
  std::vector<HostChange> changes;
  for (const auto& [what, of] : aspects)
    if (auto from = of(*before), to = of(*after); from != to)
      changes.push_back({std::string(what), std::move(from), std::move(to)});
  return changes;
}

std::string changeLine(const HostChange& change, const kube::ObjectKey& host, bool withNamespace, base::WallTime at) {
  const std::string name = withNamespace ? host.text() : host.name;
  return fmt::format("{}  {:<24}  {:<8}  {} -> {}\n", base::formatTime(at), plainCell(name), change.what,
                     shownOr(change.from), shownOr(change.to));
}

json::Object changeDocument(const HostChange& change, const kube::ObjectKey& host, base::WallTime at) {
  return {{"time", base::formatTime(at)}, {"namespace", host.namespace_}, {"host", host.name},
          {"what", change.what},          {"from", change.from},          {"to", change.to}};
}

}  // namespace ingot::cli
