#include "cli/show/tree.hpp"

#include "api/capm3/names.hpp"
#include "cli/decide/why.hpp"
#include "cli/show/why_text.hpp"
#include "cli/words/plain_text.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

struct Branch {
  std::string line;
  std::string trouble;  // what is not ready in it; "": nothing, or it is told below
  std::vector<Branch> below = {};
};

std::string textOf(const Branch& branch) {
  return plainText(branch.line + (branch.trouble.empty() ? "" : "  ! " + branch.trouble)) + "\n";
}

void print(std::string& out, const Branch& branch, const std::string& indent) {
  for (std::size_t i = 0; i < branch.below.size(); ++i) {
    const bool isLast = i + 1 == branch.below.size();
    out += indent + (isLast ? "└─ " : "├─ ") + textOf(branch.below[i]);
    print(out, branch.below[i], indent + (isLast ? "   " : "│  "));
  }
}

bool isTroubleIn(const Branch& branch) {
  return !branch.trouble.empty() || std::ranges::any_of(branch.below, isTroubleIn);
}

std::string line(std::string_view kind, const std::string& name, const std::string& state) {
  return fmt::format("{} {}: {}", kind, name, state);
}

std::string messageOf(const kube::Condition* condition) {
  if (condition == nullptr) return "";
  return condition->message.empty() ? condition->reason : condition->message;
}

std::string firstFact(const Obstacle& obstacle) { return obstacle.facts.empty() ? "" : obstacle.facts.front(); }

Branch hostBranch(const api::BareMetalHost& host, const std::optional<Obstacle>& obstacle, base::WallTime now) {
  // The first fact is where the host stands, which the line says anyhow.
  const std::string trouble = obstacle && obstacle->isOfHost && obstacle->facts.size() > 1 ? obstacle->facts[1] : "";
  const bool tellsError = !host.status.errorType.empty() && trouble.starts_with(host.status.errorType);
  return {line("host", host.metadata.name, tellsError ? stateAndPower(host, now) : standing(host, now)), trouble};
}

Branch machineBranch(const ClusterPicture& cluster, const MachinePicture& picture, base::WallTime now) {
  const auto obstacle = obstacleOf(picture, now);
  const bool hasHost = mayBeItsHost(picture);
  Branch branch{line("machine", picture.machine.metadata.name, machineStanding(picture, obstacle, now)), ""};
  if (hasHost) branch.below.push_back(hostBranch(*picture.host, obstacle, now));
  if (obstacle && !isTroubleIn(branch)) branch.trouble = firstFact(*obstacle);
  if (!picture.data) return branch;
  if (const auto found = cluster.addresses.find(picture.data->metadata.name); found != cluster.addresses.end())
    for (const std::string& address : found->second) branch.below.push_back({"address " + address, ""});
  return branch;
}

// A Machine whose Metal3Machine is not there, or whose infrastructure is another provider's.
Branch bareBranch(const api::capi::Machine& machine, bool isUnread) {
  const std::string& name = machine.metadata.name;
  const auto& wanted = machine.spec.infrastructureRef;
  const std::string said = messageOf(firstOpen(machine.status.conditions, {"InfrastructureReady", "Ready"}));
  if (wanted.kind != api::capm3::v1beta2::Metal3Machine::info.kind)
    return {line("machine", name, fmt::format("of another provider, {} {}", wanted.kind, wanted.name)), said};
  if (isUnread) return {line("machine", name, "not read"), fmt::format("Metal3Machine {} cannot be read", wanted.name)};
  return {line("machine", name, "waits for its Metal3Machine"),
          said.empty() ? fmt::format("Metal3Machine {} is not there", wanted.name) : said};
}

// Of the Machine or of the Metal3Machine, which gets the labels of its template.
const std::string* labelOf(const MachinePicture& picture, std::string_view name) {
  const std::string key(name);
  const std::string* value = picture.owner ? picture.owner->metadata.label(key) : nullptr;
  return value != nullptr ? value : picture.machine.metadata.label(key);
}

// Of whom Cluster API made this machine.
using Owner = std::pair<std::string, std::string>;

template <class Label>
Owner ownerOf(const Label& labelOf, const ClusterPicture& cluster) {
  if (labelOf(api::capm3::label::controlPlane) != nullptr)
    return {cluster.cluster.spec.controlPlaneRef.kind, cluster.cluster.spec.controlPlaneRef.name};
  if (const auto* name = labelOf("cluster.x-k8s.io/deployment-name")) return {"MachineDeployment", *name};
  if (const auto* name = labelOf("cluster.x-k8s.io/set-name")) return {"MachineSet", *name};
  return {};
}

struct Group {
  std::vector<Branch> machines;
  std::size_t ready = 0;
};

std::string stateOf(const Group& group, std::size_t wanted) {
  if (wanted == 0) return "no machine wanted";
  return group.machines.empty() ? "no machine yet" : fmt::format("{} of {} ready", group.ready, wanted);
}

Branch ownerBranch(const MachineOwner& owner, Group group) {
  const std::size_t there = group.machines.size();
  const std::size_t wanted = std::max(there, owner.replicas.value_or(there == 0 ? 1 : there));
  const bool lacks = there < wanted;
  std::string trouble = owner.trouble;
  if (lacks && trouble.empty())
    trouble = there == 0 ? "nothing says why" : fmt::format("{} more to come, and nothing says why", wanted - there);
  if (!lacks && group.ready < there) trouble.clear();  // it is told below
  const std::string state = stateOf(group, wanted);
  if (owner.name.empty()) return {"machines of nobody: " + state, std::move(trouble), std::move(group.machines)};
  return {line(owner.kind, owner.name, state), std::move(trouble), std::move(group.machines)};
}

Branch infrastructureBranch(const ClusterPicture& picture) {
  using api::capm3::v1beta2::Metal3Cluster;
  const auto& wanted = picture.cluster.spec.infrastructureRef;
  if (!picture.infrastructure) {
    if (!wanted.kind.empty() && wanted.kind != Metal3Cluster::info.kind)
      return {line(wanted.kind, wanted.name, "of another provider"), ""};
    if (wanted.name.empty()) return {"Metal3Cluster: not named", "spec.infrastructureRef of the Cluster is empty"};
    const bool isUnread = picture.unread.contains(Metal3Cluster::info.kind);
    return isUnread
               ? Branch{line("Metal3Cluster", wanted.name, "not read"), "it cannot be read"}
               : Branch{line("Metal3Cluster", wanted.name, "not there"), "there is no Metal3Cluster " + wanted.name};
  }
  const auto& infrastructure = *picture.infrastructure;
  const auto& endpoint = infrastructure.spec.controlPlaneEndpoint;
  const std::string& name = infrastructure.metadata.name;
  const std::string said =
      messageOf(firstOpen(infrastructure.status.conditions, {"BaremetalInfrastructureReady", "Ready"}));
  if (infrastructure.status.initialization.provisioned.value_or(false))
    return {line("Metal3Cluster", name, fmt::format("ready, {}:{}", endpoint.host, endpoint.port)), said};
  return {line("Metal3Cluster", name, "not ready"), said.empty() ? "nothing says why" : said};
}

// What the Cluster says of itself: only where nothing below is to blame, as that is what it repeats.
std::string clusterTrouble(const ClusterPicture& picture, const Branch& root) {
  if (picture.cluster.paused()) return "paused";
  const auto& conditions = picture.cluster.status.conditions;
  std::string topology = messageOf(firstOpen(conditions, {"TopologyReconciled"}));
  if (!topology.empty() || isTroubleIn(root)) return topology;
  return messageOf(
      firstOpen(conditions, {"InfrastructureReady", "ControlPlaneAvailable", "WorkersAvailable", "Available"}));
}

}  // namespace

std::string clusterTree(const ClusterPicture& picture, base::WallTime now) {
  Branch root{line("Cluster", picture.cluster.metadata.name,
                   picture.cluster.status.phase.empty() ? "new" : picture.cluster.status.phase),
              ""};
  root.below.push_back(infrastructureBranch(picture));

  std::vector<MachineOwner> owners = picture.owners;
  std::map<Owner, Group> groups;
  const auto groupOf = [&](const Owner& key) -> Group& {
    const bool isKnown = std::ranges::any_of(
        owners, [&key](const MachineOwner& each) { return each.kind == key.first && each.name == key.second; });
    if (!isKnown) owners.push_back({.kind = key.first, .name = key.second, .trouble = "", .replicas = std::nullopt});
    return groups[key];
  };
  for (const auto& machine : picture.machines) {
    const auto label = [&machine](std::string_view name) { return labelOf(machine, name); };
    Group& group = groupOf(ownerOf(label, picture));
    group.machines.push_back(machineBranch(picture, machine, now));
    group.ready += obstacleOf(machine, now) ? 0 : 1;
  }
  for (const auto& machine : picture.bare) {
    const auto label = [&machine](std::string_view name) { return machine.metadata.label(std::string(name)); };
    Group& group = groupOf(ownerOf(label, picture));
    group.machines.push_back(bareBranch(machine, picture.unread.contains("Metal3Machine")));
    group.ready += group.machines.back().trouble.empty() ? 1 : 0;
  }
  for (const MachineOwner& owner : owners)
    root.below.push_back(ownerBranch(owner, std::move(groups[{owner.kind, owner.name}])));
  root.trouble = clusterTrouble(picture, root);
  std::string out = textOf(root);
  print(out, root, "");
  return out;
}

}  // namespace ingot::cli
