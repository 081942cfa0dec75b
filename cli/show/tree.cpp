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
  std::vector<Branch> below = {};
};

void print(std::string& out, const Branch& branch, const std::string& indent) {
  for (std::size_t i = 0; i < branch.below.size(); ++i) {
    const bool isLast = i + 1 == branch.below.size();
    out += indent + (isLast ? "└─ " : "├─ ") + plainText(branch.below[i].line) + "\n";
    print(out, branch.below[i], indent + (isLast ? "   " : "│  "));
  }
}

// "kind name: state"; what is not ready is marked.
std::string line(std::string_view kind, const std::string& name, const std::string& state, const std::string& trouble) {
  return fmt::format("{} {}: {}{}", kind, name, state, trouble.empty() ? "" : "  ! " + trouble);
}

std::string firstFact(const Obstacle& obstacle) { return obstacle.facts.empty() ? "" : obstacle.facts.front(); }

Branch hostBranch(const api::BareMetalHost& host, const std::optional<Obstacle>& obstacle, base::WallTime now) {
  const bool isToBlame = obstacle && obstacle->isOfHost;
  // The first fact is where the host stands, which the line says anyhow.
  const std::string trouble = isToBlame && obstacle->facts.size() > 1 ? obstacle->facts[1] : "";
  return {line("host", host.metadata.name, standing(host, now), trouble)};
}

Branch machineBranch(const ClusterPicture& cluster, const MachinePicture& picture, base::WallTime now) {
  const auto obstacle = obstacleOf(picture, now);
  const bool isToldBelow = obstacle && obstacle->isOfHost && picture.host;
  Branch branch{line("machine", picture.machine.metadata.name, machineStanding(picture, obstacle, now),
                     obstacle && !isToldBelow ? firstFact(*obstacle) : "")};
  if (picture.host) branch.below.push_back(hostBranch(*picture.host, obstacle, now));
  if (!picture.data) return branch;
  if (const auto found = cluster.addresses.find(picture.data->metadata.name); found != cluster.addresses.end())
    for (const std::string& address : found->second) branch.below.push_back({"address " + address});
  return branch;
}

// Of the Machine or of the Metal3Machine, which gets the labels of its template.
const std::string* labelOf(const MachinePicture& picture, std::string_view name) {
  const std::string key(name);
  const std::string* value = picture.owner ? picture.owner->metadata.label(key) : nullptr;
  return value != nullptr ? value : picture.machine.metadata.label(key);
}

// Of whom Cluster API made this machine.
std::pair<std::string, std::string> ownerOf(const MachinePicture& picture, const ClusterPicture& cluster) {
  if (labelOf(picture, api::capm3::label::controlPlane) != nullptr)
    return {cluster.cluster.spec.controlPlaneRef.kind, cluster.cluster.spec.controlPlaneRef.name};
  if (const auto* name = labelOf(picture, "cluster.x-k8s.io/deployment-name")) return {"MachineDeployment", *name};
  if (const auto* name = labelOf(picture, "cluster.x-k8s.io/set-name")) return {"MachineSet", *name};
  return {};
}

Branch ownerBranch(const MachineOwner& owner, std::vector<Branch> machines, std::size_t ready) {
  const std::string state = machines.empty() ? "no machine yet" : fmt::format("{} of {} ready", ready, machines.size());
  const bool allReady = !machines.empty() && ready == machines.size();
  const std::string trouble = machines.empty() || allReady ? owner.trouble : "";  // else it is told below
  if (owner.name.empty()) return {"machines of nobody: " + state, std::move(machines)};
  return {line(owner.kind, owner.name, state, trouble), std::move(machines)};
}

Branch infrastructureBranch(const ClusterPicture& picture) {
  const auto& infrastructure = *picture.infrastructure;
  const auto& endpoint = infrastructure.spec.controlPlaneEndpoint;
  const auto* open = firstOpen(infrastructure.status.conditions, {"BaremetalInfrastructureReady", "Ready"});
  const bool isReady = infrastructure.status.initialization.provisioned.value_or(false);
  return {line("Metal3Cluster", infrastructure.metadata.name,
               isReady ? fmt::format("ready, {}:{}", endpoint.host, endpoint.port) : "not ready",
               open == nullptr         ? ""
               : open->message.empty() ? open->reason
                                       : open->message)};
}

}  // namespace

std::string clusterTree(const ClusterPicture& picture, base::WallTime now) {
  Branch root;
  if (picture.infrastructure)
    root.below.push_back(infrastructureBranch(picture));
  else
    root.below.push_back({line("Metal3Cluster", picture.cluster.spec.infrastructureRef.name, "not there", "")});

  std::vector<MachineOwner> owners = picture.owners;
  struct Group {
    std::vector<Branch> machines;
    std::size_t ready = 0;
  };
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const auto& machine : picture.machines) {
    const auto key = ownerOf(machine, picture);
    const bool isKnown = std::ranges::any_of(
        owners, [&key](const MachineOwner& each) { return each.kind == key.first && each.name == key.second; });
    if (!isKnown) owners.push_back({key.first, key.second, ""});
    Group& group = groups[key];
    group.machines.push_back(machineBranch(picture, machine, now));
    group.ready += obstacleOf(machine, now) ? 0 : 1;
  }
  for (const MachineOwner& owner : owners) {
    Group& group = groups[{owner.kind, owner.name}];
    root.below.push_back(ownerBranch(owner, std::move(group.machines), group.ready));
  }
  const std::string phase = picture.cluster.status.phase.empty() ? "new" : picture.cluster.status.phase;
  std::string out =
      plainText(line("Cluster", picture.cluster.metadata.name, phase, picture.cluster.paused() ? "paused" : "")) + "\n";
  print(out, root, "");
  return out;
}

}  // namespace ingot::cli
