#include "coordinator/machine/explanation.hpp"

#include "api/capm3/machine_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace ingot::coordinator::machine {

namespace {

constexpr std::size_t kMostReasons = 8;  // of the different labels that are missing, say

std::string stateOf(const BareMetalHost& host) {
  const std::string& state = host.status.provisioning.state;
  return state.empty() ? "not registered yet" : state;
}

std::string reasonOf(const RefusedHost& refused, const HostWish& wish) {
  switch (refused.why) {
    case Unfit::otherNamespace: return "in another namespace";
    case Unfit::notSelected: {
      const auto* term = wish.selector.unmet(refused.host->metadata.labels);
      return term == nullptr ? "not selected" : "without label " + term->text();
    }
    case Unfit::inUse: return "in use";
    case Unfit::keptForOthers: return "kept for others";
    case Unfit::beingDeleted: return "being deleted";
    case Unfit::hasError: return "with an error";
    case Unfit::paused: return "paused";
    case Unfit::unhealthy: return std::string(api::capm3::message::markedUnhealthy);
    case Unfit::otherWorkload: return "provisioned for something else";
    case Unfit::notAvailable: return "not available";
    case Unfit::otherDomain: return "in another failure domain";
    case Unfit::notDrawn: return "fit, but taken this moment";
  }
  return "";
}

struct Group {
  std::size_t count = 0;
  std::set<std::string> states;  // of those that are not available
};

std::string lineOf(const std::string& reason, const Group& group) {
  if (group.states.empty()) return fmt::format("{} {}", group.count, reason);
  return fmt::format("{} {} ({})", group.count, reason, fmt::join(group.states, ", "));
}

}  // namespace

std::string whyNoHost(std::span<const BareMetalHost* const> candidates, std::size_t inUse, const HostWish& wish) {
  std::map<std::string, Group> groups;
  if (inUse > 0) groups["in use"].count = inUse;
  for (const RefusedHost& refused : refusedHosts(candidates, wish, {})) {
    Group& group = groups[reasonOf(refused, wish)];
    ++group.count;
    if (refused.why == Unfit::notAvailable) group.states.insert(stateOf(*refused.host));
  }
  const std::size_t hosts = candidates.size() + inUse;
  if (hosts == 0) return fmt::format("no host in namespace {}", wish.machine.metadata.namespace_);

  std::vector<std::pair<std::string, Group>> sorted(groups.begin(), groups.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return std::pair(b.second.count, a.first) < std::pair(a.second.count, b.first);
  });
  std::string out = fmt::format("{} host{}: ", hosts, hosts == 1 ? "" : "s");
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == kMostReasons) return out + ", and others";
    out += (i == 0 ? "" : ", ") + lineOf(sorted[i].first, sorted[i].second);
  }
  return out;
}

}  // namespace ingot::coordinator::machine
