// Hosts that may be one machine, and hosts whose status names one node.
#include "coordinator/host/controller.hpp"
#include "coordinator/host/same_machine.hpp"

namespace ingot::coordinator::host {

std::string HostController::whyMachineIsShared(const api::BareMetalHost& host) const {
  const bool shared = std::ranges::any_of(machineNames(host), [&](const std::string& name) {
    const auto& named = byMachine_.find(name);
    return named.size() > (named.contains(host.metadata.key()) ? 1 : 0);
  });
  if (shared) return "another host names the same machine";
  return neverReadable(host) ? "a host that cannot be read may name the same machine" : "";
}

const kube::ObjectKey* HostController::neverReadable(const api::BareMetalHost& besides) const {
  for (const auto& key : world_.hosts.unreadable())
    if (key != besides.metadata.key() && !world_.hosts.find(key)) return &key;
  return nullptr;
}

const kube::ObjectKey* HostController::firstForMachine(const api::BareMetalHost& host,
                                                       const std::vector<std::string>& machines) const {
  const MachineClaim own = claimOf(host);
  const kube::ObjectKey& self = own.host;
  for (const std::string& machine : machines) {
    if (const auto* holder = reservations_.holderOf(machine); holder != nullptr && *holder != self) return holder;
    for (const auto& key : byMachine_.find(machine))
      if (key != self && comesBefore(claims_.find(key), own)) return &key;
  }
  return nullptr;
}

std::string HostController::reserveMachine(const api::BareMetalHost& host) {
  const auto held = [&](const kube::ObjectKey& by, std::string why) {
    runtime_.log.warn("a host gets no node: another one names its machine and comes first, or may",
                      {{"host", host.metadata.key().text()}, {"first", by.text()}});
    return why;
  };
  auto machines = machineNames(host);
  if (const auto* first = firstForMachine(host, machines)) return held(*first, whyHeldBack(host, *first));
  // A host that was registered before keeps its claim whatever the unreadable host says, so that one unreadable host
  // does not stop all the others.
  if (const auto* unreadable = wasRegistered(host) ? nullptr : neverReadable(host))
    return held(*unreadable, whyHeldBackByUnreadable(host, *unreadable));
  reservations_.reserve(host.metadata.key(), std::move(machines));
  return "";
}

// A host that waits for the machine is woken before its back-off ends, also when the claim of this one only got worse.
void HostController::noteMachines(const kube::Cache<api::BareMetalHost>::Change& change) {
  if (!change.after || !change.after->status.provisioning.ID.empty()) reservations_.release(change.key);
  const MachineClaim before = claims_.note(change.key, change.after.get());
  if (!change.before || !before.stands()) return;
  const bool keeps = change.after && claims_.find(change.key).rank >= before.rank;
  if (keeps && change.after->spec.bmc.address == change.before->spec.bmc.address &&
      change.after->spec.bootMACAddress == change.before->spec.bootMACAddress)
    return;
  const auto kept = keeps ? machineNames(*change.after) : std::vector<std::string>{};
  for (const std::string& name : machineNames(*change.before)) {
    if (std::ranges::find(kept, name) != kept.end()) continue;
    for (const auto& key : byMachine_.find(name))
      if (key != change.key) loop_.queue().add(key);
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
    break;  // one is enough not to know
  }
  return rivals;
}

}  // namespace ingot::coordinator::host
