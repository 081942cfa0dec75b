#include "coordinator/machine/kept_hosts.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/host_choice.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::machine {

namespace {

// Left as a release leaves it: whoever else uses it, or has it run something, knows why.
bool isLeft(const api::BareMetalHost& host) {
  const auto& consumer = host.spec.consumerRef;
  const bool isUsed = consumer && !cluster::refersTo(*consumer, api::capi::Cluster::info);
  return !isUsed && !host.spec.image && !host.spec.customDeploy && !host.spec.externallyProvisioned &&
         !host.metadata.beingDeleted();
}

}  // namespace

std::string freeingHost(const api::BareMetalHost& host, const std::string& owner) {
  const bool hasConsumer = host.spec.consumerRef.has_value();
  return fmt::format(
      "Kept for {}, of which there is nothing in this namespace: no machine gets the host. To free it, "
      "remove its label {}{}",
      owner, api::capm3::label::nodeReuse, hasConsumer ? " and spec.consumerRef" : "");
}

std::string KeptHosts::keptInVain(const api::BareMetalHost& host) const {
  const std::string* owner = nodeReuseOf(host);
  if (owner == nullptr || !isLeft(host)) return "";
  return owners_.isGone(host.metadata.namespace_, *owner) ? *owner : "";
}

base::Task<kube::Next> KeptHosts::reconcile(kube::ObjectKey key) {
  const auto host = hosts_.find(key);
  std::string owner = host ? keptInVain(*host) : "";
  if (owner.empty()) {
    told_.erase(key);
    const bool isUnknown = host && nodeReuseOf(*host) != nullptr && owners_.isAnyHidden(key.namespace_);
    co_return isUnknown ? kube::Next::after(kTellAgain) : kube::Next::onChange();
  }
  const auto now = runtime_.clock.now();
  Told& told = told_[key];
  if (told.uid != host->metadata.uid || told.owner != owner)
    told = {.uid = host->metadata.uid, .owner = std::move(owner), .next = now + kOwnerWait};
  if (now < told.next) co_return kube::Next::after(told.next - now);
  told.next = now + kTellAgain;
  events_.warning(kube::referenceTo(*host), "KeptForNobody", freeingHost(*host, told.owner));
  co_return kube::Next::after(kTellAgain);
}

}  // namespace ingot::coordinator::machine
