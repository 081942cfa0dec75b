#include "coordinator/machine/candidates.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ingot::coordinator::machine {

namespace {

constexpr std::size_t kMostUnmet = 1000;  // selectors

template <class Groups, class Key>
void dropFrom(Groups& groups, const std::string* group, const Key& key) {
  const auto found = group ? groups.find(*group) : groups.end();
  if (found == groups.end()) return;
  found->second.erase(key);
  if (found->second.empty()) groups.erase(found);
}

}  // namespace

const BareMetalHost& Candidates::put(BareMetalHost given) {
  drop(given.metadata.name);
  std::string name = given.metadata.name;
  const BareMetalHost& host = all_.emplace(name, std::move(given)).first->second;
  if (const auto* owner = nodeReuseOf(host)) kept_[*owner].emplace(name, &host);
  if (!suitsAnybody(host)) return host;
  std::erase_if(unmet_, [&](const auto& unmet) { return unmet.second.matches(host.metadata.labels); });
  std::pair place(placeOf(name), std::move(name));
  if (const auto* domain = failureDomainOf(host)) freeIn_[*domain].emplace(place, &host);
  free_.emplace(std::move(place), &host);
  return host;
}

bool Candidates::drop(const std::string& name) {
  const auto found = all_.find(name);
  if (found == all_.end()) return false;
  const BareMetalHost& host = found->second;
  const std::pair place(placeOf(name), name);
  dropFrom(kept_, nodeReuseOf(host), name);
  dropFrom(freeIn_, failureDomainOf(host), place);
  free_.erase(place);
  all_.erase(found);
  return true;
}

HostChoice Candidates::choose(const HostWish& wish, const Filter& mayHave) {
  if (const auto kept = wish.nodeReuse.empty() ? kept_.end() : kept_.find(wish.nodeReuse); kept != kept_.end()) {
    std::vector<const BareMetalHost*> hosts;
    for (const auto& [name, host] : kept->second)
      if (mayHave(*host)) hosts.push_back(host);
    const HostChoice choice = chooseHost(hosts, wish);
    if (choice.host != nullptr || choice.awaited != nullptr) return choice;
  }
  const std::string& domain = wish.machine.spec.failureDomain;
  requireDomain(domain);
  std::string selector = wish.selector.text();
  if (unmet_.contains(selector)) return {};
  bool isAnyHidden = false;
  const auto isOpen = [&](const BareMetalHost& host) {
    const bool may = mayHave(host);
    isAnyHidden = isAnyHidden || !may;
    return may;
  };
  if (const auto there = domain.empty() ? freeIn_.end() : freeIn_.find(domain); there != freeIn_.end())
    if (const auto* host = firstThatFits(there->second, wish, isOpen)) return {.host = host};
  const auto* host = firstThatFits(free_, wish, isOpen);
  if (host == nullptr && !isAnyHidden) {
    if (unmet_.size() >= kMostUnmet) unmet_.clear();
    unmet_.emplace(std::move(selector), wish.selector);
  }
  return {.host = host};
}

const BareMetalHost* Candidates::firstThatFits(const ByPlace& hosts, const HostWish& wish, const Filter& mayHave) {
  const auto fits = [&](const auto& item) { return mayHave(*item.second) && !unfitness(*item.second, wish); };
  constexpr std::uint64_t kNextRound = 0x9E37'79B9'7F4A'7C15;  // no two rounds begin near each other
  const auto own = hosts.lower_bound({placeOf(wish.machine) + wish.round * kNextRound, ""});
  if (const auto found = std::find_if(own, hosts.end(), fits); found != hosts.end()) return found->second;
  const auto found = std::find_if(hosts.begin(), own, fits);
  return found == own ? nullptr : found->second;
}

}  // namespace ingot::coordinator::machine
