#include "coordinator/machine/waiting.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/machine/nodes.hpp"

#include <algorithm>
#include <ranges>

namespace ingot::coordinator::machine {

void Waiting::forHost(const kube::ObjectKey& machine, HostSelector selector, std::string nodeReuse,
                      std::optional<kube::ObjectKey> awaited) {
  const auto known = placeOf_.find(machine);
  const std::uint64_t look = ++looks_, turn = known == placeOf_.end() ? look : known->second.turn;
  leaveLine(machine);
  Wish wish{machine.namespace_, selector.text(), std::move(nodeReuse)};
  const auto line = lines_.try_emplace(std::move(wish), Line{std::move(selector), {}, {}}).first;
  line->second.byTurn.emplace(turn, machine);
  line->second.byLook.emplace(look, machine);
  if (awaited) awaiting_[*awaited].insert(machine);
  placeOf_.emplace(machine, Place{line, turn, look, std::move(awaited)});
}

void Waiting::leaveLine(const kube::ObjectKey& machine) {
  const auto found = placeOf_.find(machine);
  if (found == placeOf_.end()) return;
  const auto [line, turn, look, awaited] = found->second;
  placeOf_.erase(found);
  if (const auto beside = awaited ? awaiting_.find(*awaited) : awaiting_.end(); beside != awaiting_.end()) {
    beside->second.erase(machine);
    if (beside->second.empty()) awaiting_.erase(beside);
  }
  line->second.byTurn.erase(turn);
  line->second.byLook.erase(look);
  if (line->second.byTurn.empty()) lines_.erase(line);
}

void Waiting::forNode(const kube::ObjectKey& machine, const kube::ObjectKey& cluster, const kube::ObjectMeta& host) {
  noMore(machine);
  ofCluster_[cluster].insert(machine);
  byHostUid_.insert_or_assign(host.uid, machine);
  byHost_.insert_or_assign(host.key(), machine);
  forNode_.insert_or_assign(machine, ForNode{cluster, host.uid, host.key()});
}

void Waiting::noMore(const kube::ObjectKey& machine) {
  leaveLine(machine);
  const auto node = forNode_.find(machine);
  if (node == forNode_.end()) return;
  const auto strike = [&](auto& machines, const auto& by) {
    const auto at = machines.find(by);
    if (at != machines.end() && at->second == machine) machines.erase(at);
  };
  strike(byHostUid_, node->second.hostUid);
  strike(byHost_, node->second.host);
  auto& ofCluster = ofCluster_[node->second.cluster];
  ofCluster.erase(machine);
  if (ofCluster.empty()) ofCluster_.erase(node->second.cluster);
  forNode_.erase(node);
}

std::optional<kube::ObjectKey> Waiting::offeredTo(const kube::ObjectKey& machine) const {
  const auto found = offers_.lower_bound(machine);
  return found == offers_.end() || found->first != machine ? std::nullopt : std::optional(found->second.host);
}

std::optional<kube::ObjectKey> Waiting::refused(const kube::ObjectKey& machine, const BareMetalHost* host) {
  const auto first = offers_.lower_bound(machine);
  if (first == offers_.end() || first->first != machine) return std::nullopt;
  auto offered = offers_.extract(first);
  if (host == nullptr) return std::nullopt;
  offered.mapped().asked.insert(machine);
  return offer(*host, std::move(offered.mapped().asked), 0);
}

std::optional<kube::ObjectKey> Waiting::takeFreed(const BareMetalHost& host, const kube::ObjectKey& by,
                                                  std::uint64_t before) {
  const auto [first, last] = offers_.equal_range(by);
  const auto isIt = [key = host.metadata.key()](const auto& offered) { return offered.second.host == key; };
  return std::any_of(first, last, isIt) ? std::nullopt : offer(host, {by}, before);
}

std::optional<kube::ObjectKey> Waiting::offer(const BareMetalHost& host, std::set<kube::ObjectKey> asked,
                                              std::uint64_t before) {
  auto machine = firstFor(host, asked, before);
  if (!machine) return std::nullopt;
  leaveLine(*machine);
  offers_.emplace(*machine, Offer{host.metadata.key(), std::move(asked)});
  return machine;
}

// Those that were asked have lined up anew, behind the others.
std::optional<kube::ObjectKey> Waiting::firstFor(const BareMetalHost& host, const std::set<kube::ObjectKey>& asked,
                                                 std::uint64_t before) {
  const std::string* kept = host.metadata.label(std::string(api::capm3::label::nodeReuse));
  const std::string& space = host.metadata.namespace_;
  std::optional<Queue::value_type> firstOfAll;
  for (auto at = lines_.lower_bound({space, "", ""}); at != lines_.end() && at->first.namespace_ == space; ++at) {
    ++compared_;
    const auto& [wish, line] = *at;
    if ((kept != nullptr && *kept != wish.nodeReuse) || !line.selector.matches(host.metadata.labels)) continue;
    const Queue& queue = before == 0 ? line.byTurn : line.byLook;
    const auto first = std::find_if(queue.upper_bound(before), queue.end(),
                                    [&](const auto& one) { return !asked.contains(one.second); });
    if (first != queue.end() && (!firstOfAll || first->first < firstOfAll->first)) firstOfAll.emplace(*first);
  }
  return firstOfAll ? std::optional(firstOfAll->second) : std::nullopt;
}

std::vector<kube::ObjectKey> Waiting::awaiting(const kube::ObjectKey& host) const {
  const auto found = awaiting_.find(host);
  if (found == awaiting_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::optional<Waiting::Named> Waiting::namedBy(const kube::ObjectKey& cluster, const kube::Node& node) const {
  // Any cluster may name any host.
  const auto waits = [&](const auto& machines, const auto& by) {
    const auto at = machines.find(by);
    const bool isOfCluster = at != machines.end() && forNode_.at(at->second).cluster == cluster;
    return isOfCluster ? Named{at->second} : Named{};
  };
  if (const std::string* uid = node.metadata.label(std::string(workload::kUuidLabel))) return waits(byHostUid_, *uid);
  if (const auto host = hostNamedBy(node.spec.providerId)) return waits(byHost_, *host);
  return std::nullopt;
}

std::vector<kube::ObjectKey> Waiting::of(const kube::ObjectKey& cluster) const {
  const auto found = ofCluster_.find(cluster);
  if (found == ofCluster_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace ingot::coordinator::machine
