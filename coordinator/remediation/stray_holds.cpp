#include "coordinator/remediation/stray_holds.hpp"

#include "coordinator/machine/host_pool.hpp"
#include "coordinator/machine/preconditions.hpp"
#include "coordinator/remediation/power_hold.hpp"
#include "coordinator/remediation/power_proof.hpp"

#include <algorithm>

namespace ingot::coordinator::remediation {

namespace {

// Whether the host is used by the machine of the remediation. Each of them names the other, and either may be gone or
// have lost the name of the other.
bool isOfConsumer(const Metal3Remediation& remediation, const Machine* machine, const Metal3Machine* consumer) {
  if (consumer == nullptr) return false;
  const auto owner = machine::ownerOf(remediation.metadata);
  if (owner && machine::ownerOf(consumer->metadata) == owner) return true;
  return machine != nullptr && metalMachineOf(*machine) == consumer->metadata.key();
}

}  // namespace

std::vector<std::string> StrayHolds::strays(const api::BareMetalHost& host) const {
  auto uids = holdersOf(host);
  if (uids.empty()) return uids;
  const auto key = machine::consumerOf(host);
  const auto consumer = key ? world_.metalMachines.find(*key) : nullptr;
  std::erase_if(uids, [&](const std::string& uid) {
    const auto keys = world_.byUid.copy(uid);
    const auto remediation = keys.empty() ? nullptr : world_.remediations.find(keys.front());
    if (!remediation) return false;
    const auto owner = machine::ownerOf(remediation->metadata);
    const auto machine = owner ? world_.machines.find(*owner) : nullptr;
    return isOfConsumer(*remediation, machine.get(), consumer.get());
  });
  return uids;
}

// A host that is switched on while it counts as off does harm: the cache may be behind, so the API is asked too.
base::Task<kube::Next> StrayHolds::reconcile(kube::ObjectKey host) {
  const auto seen = world_.hosts.find(host);
  if (!seen || isLeftAlone(*seen)) co_return kube::Next::onChange();  // it may be on its way to another cluster
  auto uids = strays(*seen);
  if (uids.empty()) co_return kube::Next::onChange();
  const auto key = machine::consumerOf(*seen);
  const bool isHidden = key && world_.metalMachines.isUnreadable(*key);
  if (isHidden || world_.remediations.anyUnreadableIn(host.namespace_)) co_return kube::Next::withBackoff();
  uids = co_await confirmed(std::move(uids), *seen);
  if (uids.empty()) co_return kube::Next::withBackoff();
  runtime_.log.info("a host is no longer kept off for a remediation that is gone, or of another machine",
                    {{"host", host.text()}});
  const auto letGo = [&uids, &key](BareMetalHost& fresh) {
    if (isLeftAlone(fresh) || machine::consumerOf(fresh) != key) return;
    for (const auto& uid : uids) letOn(fresh, uid);
  };
  static_cast<void>(co_await world_.hosts.edit(host, letGo, true));
  co_return kube::Next::onChange();
}

base::Task<std::vector<std::string>> StrayHolds::confirmed(std::vector<std::string> strays, BareMetalHost host) {
  const auto key = machine::consumerOf(host);
  const auto consumer = key ? co_await world_.client.get<Metal3Machine>(*key) : std::optional<Metal3Machine>();
  for (const auto& it : co_await world_.client.list<Metal3Remediation>({.namespace_ = host.metadata.namespace_})) {
    if (std::ranges::find(strays, it.metadata.uid) == strays.end()) continue;
    const auto owner = machine::ownerOf(it.metadata);
    const bool isHidden = owner && world_.machines.isUnreadable(*owner);
    const auto machine = owner && !isHidden ? co_await world_.client.get<Machine>(*owner) : std::optional<Machine>();
    if (isHidden || isOfConsumer(it, machine ? &*machine : nullptr, consumer ? &*consumer : nullptr))
      std::erase(strays, it.metadata.uid);
  }
  co_return strays;
}

}  // namespace ingot::coordinator::remediation
