#include "coordinator/remediation/stray_holds.hpp"

#include "coordinator/remediation/power_hold.hpp"
#include "coordinator/remediation/power_proof.hpp"

namespace ingot::coordinator::remediation {

std::vector<std::string> StrayHolds::unknownHolders(const api::BareMetalHost& host) const {
  auto uids = holdersOf(host);
  std::erase_if(uids, [this](const std::string& uid) { return !world_.byUid.find(uid).empty(); });
  return uids;
}

// A host that is switched on while it counts as off does harm: the cache may be behind, so the API is asked too.
base::Task<kube::Next> StrayHolds::reconcile(kube::ObjectKey host) {
  const auto seen = world_.hosts.find(host);
  if (!seen || isLeftAlone(*seen)) co_return kube::Next::onChange();  // it may be on its way to another cluster
  auto strays = unknownHolders(*seen);
  if (strays.empty()) co_return kube::Next::onChange();
  if (world_.remediations.anyUnreadableIn(host.namespace_)) co_return kube::Next::withBackoff();
  for (const auto& it : co_await world_.client.list<Metal3Remediation>({.namespace_ = host.namespace_}))
    std::erase(strays, it.metadata.uid);
  if (strays.empty()) co_return kube::Next::withBackoff();
  runtime_.log.info("a remediation that is gone keeps a host off no more", {{"host", host.text()}});
  const auto letGo = [&strays](BareMetalHost& fresh) {
    if (isLeftAlone(fresh)) return;
    for (const auto& uid : strays) letOn(fresh, uid);
  };
  static_cast<void>(co_await world_.hosts.edit(host, letGo, true));
  co_return kube::Next::onChange();
}

}  // namespace ingot::coordinator::remediation
