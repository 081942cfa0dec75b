#include "coordinator/machine/waiting.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/machine/nodes.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::machine {

void Waiting::forHost(const kube::ObjectKey& machine, HostSelector selector, std::string nodeReuse,
                      std::optional<kube::ObjectKey> awaited) {
  ForHost wish{machine, std::move(selector), std::move(nodeReuse), std::move(awaited)};
  const auto found = placeOf_.find(machine);
  if (found != placeOf_.end()) {
    *found->second = std::move(wish);
    return;
  }
  forHost_.push_back(std::move(wish));
  placeOf_.emplace(machine, std::prev(forHost_.end()));
}

void Waiting::forNode(const kube::ObjectKey& machine, const kube::ObjectKey& cluster, const kube::ObjectMeta& host) {
  noMore(machine);
  ofCluster_[cluster].insert(machine);
  byHostUid_.insert_or_assign(host.uid, machine);
  byHost_.insert_or_assign(host.key(), machine);
  forNode_.insert_or_assign(machine, ForNode{cluster, host.uid, host.key()});
}

void Waiting::noMore(const kube::ObjectKey& machine) {
  if (const auto place = placeOf_.find(machine); place != placeOf_.end()) {
    forHost_.erase(place->second);
    placeOf_.erase(place);
  }
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
  return offer(*host, std::move(offered.mapped().asked));
}

std::optional<kube::ObjectKey> Waiting::offer(const BareMetalHost& host, std::set<kube::ObjectKey> asked) {
  const std::string* kept = host.metadata.label(std::string(api::capm3::label::nodeReuse));
  const auto takes = [&](const ForHost& one) {
    if (one.machine.namespace_ != host.metadata.namespace_ || asked.contains(one.machine)) return false;
    return (kept == nullptr || *kept == one.nodeReuse) && one.selector.matches(host.metadata.labels);
  };
  const auto found = std::ranges::find_if(forHost_, takes);
  if (found == forHost_.end()) return std::nullopt;
  kube::ObjectKey machine = found->machine;
  placeOf_.erase(machine);
  forHost_.erase(found);
  offers_.emplace(machine, Offer{host.metadata.key(), std::move(asked)});
  return machine;
}

std::vector<kube::ObjectKey> Waiting::awaiting(const kube::ObjectKey& host) const {
  std::vector<kube::ObjectKey> machines;
  for (const auto& one : forHost_)
    if (one.awaited == host) machines.push_back(one.machine);
  return machines;
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
