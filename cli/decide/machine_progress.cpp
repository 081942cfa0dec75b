#include "cli/decide/machine_progress.hpp"

#include "api/capm3/host_link.hpp"
#include "api/capm3/names.hpp"
#include "cli/decide/why.hpp"
#include "kube/runtime/conditions.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

using api::capm3::v1beta2::Metal3Machine;

constexpr std::string_view kHost = "AssociateBareMetalHost", kData = "Metal3DataReady",
                           kRest = "AssociateMetal3MachineMetaData";

// What each reason of AssociateBareMetalHost waits for, and what helps.
struct Reason {
  std::string_view name, waitsFor, next;
};
constexpr Reason reasons[] = {
    {"WaitingForMetal3MachineOwnerRef", "its Machine",
     "Cluster API's core manager sets the owner: a Machine must name this Metal3Machine in spec.infrastructureRef"},
    {"WaitingForClusterInfrastructureReady", "its cluster", "see ingotctl get clusters -o wide"},
    {"WaitingforMetal3Cluster", "its Metal3Cluster", "create the Metal3Cluster that the Cluster names"},
    {"WaitingForBootstrapData", "bootstrap data",
     "the bootstrap provider writes spec.bootstrap.dataSecretName of the Machine; workers get theirs once the control "
     "plane is initialized"},
    {"AssociateBareMetalHostFailed", "a host",
     "the first host that fits is taken at once: see ingotctl get hosts, and spec.hostSelector of the machine"},
};

Obstacle obstacle(std::string waitsFor, const kube::Condition& condition, std::string next) {
  return {.waitsFor = std::move(waitsFor),
          .facts = {condition.message.empty() ? condition.reason : condition.message},
          .since = condition.lastTransitionTime,
          .next = std::move(next)};
}

Obstacle noHost(const kube::Condition& condition) {
  const auto* reason = std::ranges::find(reasons, std::string_view(condition.reason), &Reason::name);
  if (reason == std::end(reasons)) return obstacle("its host", condition, "");
  Obstacle found = obstacle(std::string(reason->waitsFor), condition, std::string(reason->next));
  if (condition.message.find("marked unhealthy") != std::string::npos)
    found.next += "; ingotctl retry host NAME takes the mark off one that works again";
  return found;
}

Obstacle noData(const MachinePicture& picture, const kube::Condition& condition) {
  Obstacle found = obstacle("its data", condition, "the data controller makes the Metal3Data and renders the Secrets");
  const auto add = [&found](std::string_view kind, const std::string& name, const std::string& error) {
    if (!error.empty()) found.facts.push_back(fmt::format("{} {}: {}", kind, name, error));
  };
  if (!picture.claim) found.facts.emplace_back("its Metal3DataClaim is not there yet");
  if (picture.claim) add("Metal3DataClaim", picture.claim->metadata.name, picture.claim->status.errorMessage);
  if (picture.data) add("Metal3Data", picture.data->metadata.name, picture.data->status.errorMessage);
  return found;
}

bool carriesImage(const api::BareMetalHost& host) {
  return host.status.provisioning.state == "provisioned" || host.status.provisioning.state == "externally provisioned";
}

std::optional<Obstacle> atHost(const MachinePicture& picture, base::WallTime now) {
  const auto link = api::capm3::linkedHostOf(picture.machine.metadata);
  if (!link) return std::nullopt;
  if (!picture.host)
    return Obstacle{.waitsFor = "host " + link->name,
                    .facts = {fmt::format("BareMetalHost {} is not there", link->name)},
                    .since = std::nullopt,
                    .next = "delete the Machine: its owner makes another one, which gets another host",
                    .isOfHost = true};
  if (carriesImage(*picture.host) && picture.host->status.errorType.empty()) return std::nullopt;
  Obstacle found{.waitsFor = "host " + link->name,
                 .facts = whyWaiting(*picture.host, now),
                 .since = std::nullopt,
                 .next = "see ingotctl describe host " + link->name,
                 .isOfHost = true};
  found.facts.insert(found.facts.begin(), standing(*picture.host, now));
  return found;
}

Obstacle leaving(const MachinePicture& picture, base::WallTime now) {
  Obstacle found{.waitsFor = "its deletion",
                 .facts = {},
                 .since = picture.machine.metadata.deletionTimestamp,
                 .next = "its host is deprovisioned first; see ingotctl describe host"};
  if (const auto* rest = kube::findCondition(picture.machine.status.conditions, kRest); rest && rest->status != "True")
    found.facts.push_back(rest->message.empty() ? rest->reason : rest->message);
  if (picture.host)
    found.facts.push_back(fmt::format("host {}: {}", picture.host->metadata.name, standing(*picture.host, now)));
  return found;
}

std::optional<Obstacle> restarting(const MachinePicture& picture) {
  if (!picture.remediation) return std::nullopt;
  const auto& status = picture.remediation->status;
  const std::string phase = status.phase.empty() ? "not begun" : status.phase;
  return Obstacle{.waitsFor = "its remediation",
                  .facts = {fmt::format("Metal3Remediation {}: {}, attempt {}", picture.remediation->metadata.name,
                                        phase, status.retryCount + 1)},
                  .since = status.lastRemediated,
                  .next = phase == "Deleting machine" ? "the owner of the Machine replaces it"
                                                      : "the MachineHealthCheck ends it once the Node is ready again"};
}

std::optional<Obstacle> atNode(const MachinePicture& picture) {
  const auto& machine = picture.machine;
  const std::string& node = picture.owner ? picture.owner->status.nodeRef.name : std::string();
  if (!machine.spec.providerID.empty() && (!picture.owner || !node.empty())) return std::nullopt;
  const auto* rest = kube::findCondition(machine.status.conditions, kRest);
  Obstacle found{
      .waitsFor = "its Node",
      .facts = {},
      .since = rest ? rest->lastTransitionTime : std::nullopt,
      .next = "the host boots and its kubelet registers the Node: see the host's console if that does not come"};
  if (rest && rest->status != "True")
    found.facts.push_back(rest->message);
  else
    found.facts.push_back(machine.spec.providerID.empty()
                              ? std::string("no Node of the workload cluster is this machine's yet")
                              : fmt::format("no Node with providerID {} yet", machine.spec.providerID));
  return found;
}

}  // namespace

const kube::Condition* firstOpen(const std::vector<kube::Condition>& conditions,
                                 std::initializer_list<std::string_view> types) {
  if (const auto* paused = kube::findCondition(conditions, "Paused"); paused != nullptr && paused->status == "True")
    return paused;
  for (const auto type : types)
    if (const auto* condition = kube::findCondition(conditions, type);
        condition != nullptr && condition->status != "True")
      return condition;
  return nullptr;
}

std::string clusterNameOf(const kube::ObjectMeta& metadata) {
  const std::string* name = metadata.label(std::string(api::capm3::label::clusterName));
  return name == nullptr ? "" : *name;
}

std::string ownerMachineOf(const kube::ObjectMeta& metadata) {
  const auto owner = std::ranges::find_if(metadata.ownerReferences, [](const kube::OwnerReference& each) {
    return each.kind == api::capi::Machine::info.kind && each.apiVersion.starts_with(api::capi::Machine::info.group);
  });
  return owner == metadata.ownerReferences.end() ? "" : owner->name;
}

std::optional<Obstacle> obstacleOf(const MachinePicture& picture, base::WallTime now) {
  const auto& machine = picture.machine;
  const auto& conditions = machine.status.conditions;
  if (machine.metadata.beingDeleted()) return leaving(picture, now);
  const auto* open = firstOpen(conditions, {kHost, kData});
  if (open && open->type == "Paused")
    return obstacle(
        "the end of its pause", *open,
        "nothing happens while spec.paused of the Cluster, or annotation cluster.x-k8s.io/paused, is there");
  if (conditions.empty())
    return Obstacle{.waitsFor = "the coordinator",
                    .facts = {"nobody has looked at it yet"},
                    .since = machine.metadata.creationTimestamp,
                    .next = "is the coordinator running, and does its --watch-filter let this machine in?"};
  if (open && open->type == kHost) return noHost(*open);
  if (open) return noData(picture, *open);
  if (auto found = atHost(picture, now)) return found;
  if (auto found = restarting(picture)) return found;
  return atNode(picture);
}

}  // namespace ingot::cli
