// Hosts that may be one machine, and hosts whose status names one node.
#include "coordinator/host/controller.hpp"
#include "coordinator/host/same_machine.hpp"

namespace ingot::coordinator::host {

bool HostController::sharesMachine(const api::BareMetalHost& host) const {
  return std::ranges::any_of(machineNames(host), [&](const std::string& name) {
    const auto& named = byMachine_.find(name);
    return named.size() > (named.contains(host.metadata.key()) ? 1 : 0);
  });
}

std::string HostController::whyAnotherFirst(const api::BareMetalHost& host) const {
  for (const std::string& name : machineNames(host)) {
    for (const auto& key : byMachine_.find(name)) {
      const auto other = key == host.metadata.key() ? nullptr : world_.hosts.find(key);
      if (!other || !comesBefore(*other, host)) continue;
      runtime_.log.warn("a host gets no node: another one names its machine, and comes first",
                        {{"host", host.metadata.key().text()}, {"first", key.text()}});
      return whyHeldBack(host, *other);
    }
  }
  return "";
}

// Who waited for it need not wait out its back-off.
void HostController::noteReleasedMachine(const api::BareMetalHost& before, const api::BareMetalHost* after) {
  if (after != nullptr && after->spec.bmc.address == before.spec.bmc.address &&
      after->spec.bootMACAddress == before.spec.bootMACAddress)
    return;
  const auto kept = after != nullptr ? machineNames(*after) : std::vector<std::string>{};
  for (const std::string& name : machineNames(before)) {
    if (std::ranges::find(kept, name) != kept.end()) continue;
    for (const auto& key : byMachine_.find(name)) loop_.queue().add(key);
  }
}

std::vector<NodeRival> HostController::rivalsOf(const kube::ObjectMeta& host, const std::string& provisionerId) const {
  std::vector<NodeRival> rivals;
  for (const auto& key : byNode_.find(provisionerId)) {
    const auto other = key == host.key() ? nullptr : world_.hosts.find(key);
    if (!other) continue;
    const auto& made = other->metadata.creationTimestamp;
    rivals.push_back({.namespace_ = key.namespace_,
                      .name = key.name,
                      .bootMacAddress = other->spec.bootMACAddress,
                      .younger = made && host.creationTimestamp && *made > *host.creationTimestamp});
  }
  for (const auto& key : world_.hosts.unreadable()) {
    if (key == host.key()) continue;
    runtime_.log.warn("whose a node is cannot be told: a host cannot be read",
                      {{"host", host.key().text()}, {"node", provisionerId}, {"unreadable", key.text()}});
    rivals.push_back({.namespace_ = key.namespace_, .name = key.name, .unreadable = true});
  }
  return rivals;
}

}  // namespace ingot::coordinator::host
