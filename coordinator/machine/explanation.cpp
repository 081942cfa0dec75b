#include "coordinator/machine/explanation.hpp"

#include "api/capm3/machine_words.hpp"
#include "api/capm3/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace ingot::coordinator::machine {

namespace {

constexpr std::size_t kMostReasons = 8;    // of the different labels that are missing, say
constexpr std::ptrdiff_t kMostValues = 3;  // of hundreds that a selector may list for one label

std::string labelOf(const kube::LabelTerm& term) {
  const auto all = std::ssize(term.values);
  if (all <= kMostValues + 1) return term.text();
  kube::LabelTerm few{
      .key = term.key, .op = term.op, .values = {term.values.begin(), term.values.begin() + kMostValues}};
  few.values.back() += fmt::format(" and {} others", all - kMostValues);
  return few.text();
}

std::string stateOf(const BareMetalHost& host) {
  const std::string& state = host.status.provisioning.state;
  return state.empty() ? "not registered yet" : state;
}

std::string keptFor(const BareMetalHost& host, const IsGone& isGone) {
  const std::string* owner = nodeReuseOf(host);
  if (owner == nullptr) return "kept for others";
  if (!isGone || !isGone(*owner)) return "kept for " + *owner;
  return fmt::format("kept for {}, of which there is nothing here", *owner);  // it may come yet
}

std::string reasonOf(const RefusedHost& refused, const HostWish& wish, const IsGone& isGone) {
  switch (refused.why) {
    case Unfit::otherNamespace: return "in another namespace";
    case Unfit::notSelected: {
      const auto* term = wish.selector.unmet(refused.host->metadata.labels);
      return term == nullptr ? "not selected" : "without label " + labelOf(*term);
    }
    case Unfit::inUse: return "in use";
    case Unfit::keptForOthers: return keptFor(*refused.host, isGone);
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

using Groups = std::map<std::string, Group>;

// "12 hosts: 7 in use, 3 not available (inspecting)".
std::string listed(std::size_t hosts, const Groups& groups) {
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

void count(Groups& groups, const RefusedHost& refused, const HostWish& wish, const IsGone& isGone = {}) {
  Group& group = groups[reasonOf(refused, wish, isGone)];
  ++group.count;
  if (refused.why == Unfit::notAvailable) group.states.insert(stateOf(*refused.host));
}

Groups usedBy(std::size_t inUse) {
  Groups groups;
  if (inUse > 0) groups["in use"].count = inUse;
  return groups;
}

std::string domainOf(const BareMetalHost& host, const HostWish& wish) {
  const std::string& domain = wish.machine.spec.failureDomain;
  if (domain.empty()) return "";
  const auto* label = host.metadata.label(std::string(api::capm3::label::failureDomain));
  if (label != nullptr && *label == domain) return " in failure domain " + domain;
  return fmt::format(", as failure domain {} has none", domain);
}

std::string whyKept(const HostChoice& choice, const HostWish& wish) {
  return fmt::format("host {}, which is kept for {}", choice.host->metadata.name, wish.nodeReuse);
}

}  // namespace

std::string whyNoHost(std::span<const BareMetalHost* const> candidates, std::size_t inUse, const HostWish& wish,
                      const IsGone& isGone, std::size_t unreadable) {
  const std::size_t hosts = candidates.size() + inUse + unreadable;
  if (hosts == 0) return fmt::format("{} {}", api::capm3::message::noHostThere, wish.machine.metadata.namespace_);
  Groups groups = usedBy(inUse);
  if (unreadable > 0) groups["that cannot be read"].count = unreadable;
  for (const RefusedHost& refused : refusedHosts(candidates, wish, {})) count(groups, refused, wish, isGone);
  return listed(hosts, groups);
}

std::string whyThisHost(std::span<const BareMetalHost* const> candidates, std::size_t inUse, const HostWish& wish,
                        const HostChoice& choice) {
  const std::string& name = choice.host->metadata.name;
  if (choice.forReuse) return whyKept(choice, wish);
  const std::string domain = domainOf(*choice.host, wish);
  Groups others = usedBy(inUse);
  std::size_t fitting = 1;
  for (const RefusedHost& refused : refusedHosts(candidates, wish, choice)) {
    if (refused.why == Unfit::notDrawn)
      ++fitting;
    else
      count(others, refused, wish);
  }
  const std::string among = fitting == 1 ? "the only one that fits" : fmt::format("one of {} that fit", fitting);
  if (others.empty()) return fmt::format("host {}, {}{}", name, among, domain);
  return fmt::format("host {}, {}{} ({})", name, among, domain, listed(candidates.size() + inUse, others));
}

std::string whyThisHost(std::size_t candidates, std::size_t inUse, const HostWish& wish, const HostChoice& choice) {
  if (choice.forReuse) return whyKept(choice, wish);
  return fmt::format("host {}{} (of {} that nobody has; {} in use)", choice.host->metadata.name,
                     domainOf(*choice.host, wish), candidates, inUse);
}

}  // namespace ingot::coordinator::machine
