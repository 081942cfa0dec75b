#include "coordinator/machine/host_pool.hpp"

#include "api/bmh/provisioning_state.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"

#include <algorithm>

namespace ingot::coordinator::machine {

namespace {

const std::string kNodeReuse(api::capm3::label::nodeReuse);

bool mayBeChosen(const BareMetalHost& host) {
  return !host.spec.consumerRef || host.metadata.label(kNodeReuse) != nullptr;
}

// What chooseHost and refusedHosts look at, and no more: the inventory of a host is far bigger.
BareMetalHost trimmed(const BareMetalHost& host) {
  BareMetalHost out;
  out.metadata.name = host.metadata.name;
  out.metadata.namespace_ = host.metadata.namespace_;
  out.metadata.labels = host.metadata.labels;
  out.metadata.annotations = host.metadata.annotations;
  out.metadata.annotations.erase("kubectl.kubernetes.io/last-applied-configuration");
  out.metadata.deletionTimestamp = host.metadata.deletionTimestamp;
  out.spec.consumerRef = host.spec.consumerRef;
  out.spec.image = host.spec.image;
  out.spec.customDeploy = host.spec.customDeploy;
  out.spec.externallyProvisioned = host.spec.externallyProvisioned;
  out.status.errorMessage = host.status.errorMessage;
  out.status.provisioning.state = host.status.provisioning.state;
  return out;
}

}  // namespace

std::optional<kube::ObjectKey> consumerOf(const BareMetalHost& host) {
  const auto& reference = host.spec.consumerRef;
  if (!reference || !cluster::refersTo(*reference, Metal3Machine::info)) return std::nullopt;
  if (reference->namespace_ != host.metadata.namespace_) return std::nullopt;  // no machine takes such a host
  return kube::ObjectKey{reference->namespace_, reference->name};
}

HostPool::HostPool(kube::Cache<BareMetalHost>& hosts) : hosts_(hosts) {
  subscription_ = hosts.listen([this](const kube::Cache<BareMetalHost>::Change& change) {
    if (!filled_) return;
    if (change.before && change.after && isNoNews(*change.before, *change.after)) return;
    unread_.erase(change.key);
    if (change.before) strike(*change.before);
    reserved_.erase(change.key);
    if (change.after) enter(*change.after);
  });
}

void HostPool::fill() {
  if (std::exchange(filled_, true)) return;
  for (const auto& host : hosts_.all()) enter(*host);
}

void HostPool::enter(const BareMetalHost& host) {
  Namespace& space = namespaces_[host.metadata.namespace_];
  ++space.version;
  if (const auto consumer = consumerOf(host)) byConsumer_.emplace(*consumer, host.metadata.key());
  if (!mayBeChosen(host)) {
    ++space.inUse;
    return;
  }
  const auto& candidate = space.candidates.put(trimmed(host));
  const auto state = api::parseProvisioningState(host.status.provisioning.state);
  if (state && isAvailable(*state)) told_.tell(candidate);
}

void HostPool::strike(const BareMetalHost& host) {
  Namespace& space = namespaces_[host.metadata.namespace_];
  ++space.version;
  if (const auto consumer = consumerOf(host)) {
    const auto [first, last] = byConsumer_.equal_range(*consumer);
    const auto found = std::find_if(first, last, [&](const auto& item) { return item.second == host.metadata.key(); });
    if (found != last) byConsumer_.erase(found);
  }
  if (mayBeChosen(host))
    space.candidates.drop(host.metadata.name);
  else
    --space.inUse;
}

// Most of what becomes of a host that nobody has is of its power, its health or its inventory, and there may be
// thousands of hosts and of machines that wait. A reservation ends with whatever changes.
bool HostPool::isNoNews(const BareMetalHost& before, const BareMetalHost& after) {
  const kube::ObjectKey key = after.metadata.key();
  if (unread_.contains(key)) return false;
  if (!mayBeChosen(after)) return !mayBeChosen(before) && consumerOf(before) == consumerOf(after);
  const BareMetalHost* known = candidate(key);
  return known != nullptr && *known == trimmed(after);
}

bool HostPool::isReadable(const BareMetalHost& host) {
  const bool isHidden = hosts_.isUnreadable(host.metadata.key());
  if (isHidden) unread_.insert(host.metadata.key());
  return !isHidden;
}

HostChoice HostPool::choose(const HostWish& wish, const std::set<kube::ObjectKey>& passedOver) {
  fill();
  const auto found = namespaces_.find(wish.machine.metadata.namespace_);
  if (found == namespaces_.end()) return {};
  return found->second.candidates.choose(
      wish, [&](const BareMetalHost& host) { return isReadable(host) && !passedOver.contains(host.metadata.key()); });
}

std::vector<const BareMetalHost*> HostPool::candidates(const std::string& namespace_) {
  fill();
  std::vector<const BareMetalHost*> out;
  const auto found = namespaces_.find(namespace_);
  if (found == namespaces_.end()) return out;
  const auto& all = found->second.candidates.all();
  out.reserve(all.size());
  for (const auto& [name, host] : all)
    if (isReadable(host)) out.push_back(&host);
  return out;
}

std::size_t HostPool::candidateCount(const std::string& namespace_) {
  fill();
  const auto found = namespaces_.find(namespace_);
  return found == namespaces_.end() ? 0 : found->second.candidates.all().size();
}

// The cache tells of no object that it cannot read any more.
std::uint64_t HostPool::version(const std::string& namespace_) {
  fill();
  Namespace& space = namespaces_[namespace_];
  const std::pair unreadable(std::ranges::distance(hosts_.unreadableIn(namespace_)), isEachUnreadable(namespace_));
  if (std::exchange(space.unreadable, unreadable) != unreadable) ++space.version;
  return space.version;
}

std::size_t HostPool::unreadable(const std::string& namespace_) {
  const auto wasNeverRead = [this](const kube::ObjectKey& host) { return !hosts_.find(host); };
  const auto neverRead = std::ranges::count_if(hosts_.unreadableIn(namespace_), wasNeverRead);
  return static_cast<std::size_t>(neverRead) + candidateCount(namespace_) - candidates(namespace_).size();
}

// The API serves the kind no more, or in other versions only: so it is with a name that no host has.
bool HostPool::isEachUnreadable(const std::string& namespace_) const { return hosts_.isUnreadable({namespace_, ""}); }

const BareMetalHost* HostPool::candidate(const kube::ObjectKey& host) {
  fill();
  const auto& candidates = namespaces_[host.namespace_].candidates.all();
  const auto found = candidates.find(host.name);
  return found == candidates.end() ? nullptr : &found->second;
}

std::size_t HostPool::inUse(const std::string& namespace_) {
  fill();
  const auto found = namespaces_.find(namespace_);
  const auto isHere = [&](const kube::ObjectKey& host) { return host.namespace_ == namespace_; };
  const auto reserved = static_cast<std::size_t>(std::ranges::count_if(reserved_, isHere));
  return reserved + (found == namespaces_.end() ? 0 : found->second.inUse);
}

std::vector<kube::ObjectKey> HostPool::hostsOf(const kube::ObjectKey& machine) {
  fill();
  std::vector<kube::ObjectKey> out;
  const auto [first, last] = byConsumer_.equal_range(machine);
  for (auto at = first; at != last; ++at) out.push_back(at->second);
  return out;
}

void HostPool::reserve(const kube::ObjectKey& host) {
  Namespace& space = namespaces_[host.namespace_];
  if (!space.candidates.drop(host.name)) return;
  reserved_.insert(host);
  ++space.version;
}

void HostPool::setFree(const kube::ObjectKey& host) {
  if (reserved_.erase(host) == 0) return;
  Namespace& space = namespaces_[host.namespace_];
  ++space.version;
  const auto seen = hosts_.find(host);
  if (seen && mayBeChosen(*seen)) space.candidates.put(trimmed(*seen));
}

}  // namespace ingot::coordinator::machine
