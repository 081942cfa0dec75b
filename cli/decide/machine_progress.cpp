#include "cli/decide/machine_progress.hpp"

#include "api/capm3/host_link.hpp"
#include "api/capm3/machine_words.hpp"
#include "api/capm3/names.hpp"
#include "cli/decide/host_next.hpp"
#include "cli/decide/why.hpp"
#include "cli/words/power.hpp"
#include "kube/runtime/conditions.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

using api::capm3::v1beta2::Metal3Machine;

namespace reason = api::capm3::reason;
namespace message = api::capm3::message;

constexpr std::string_view kHost = api::capm3::condition::host, kData = api::capm3::condition::data,
                           kRest = api::capm3::condition::metaData;

// What each reason of condition `host` waits for, and what helps.
struct Reason {
  std::string_view name, waitsFor, next;
};
constexpr Reason reasons[] = {
    {reason::noOwner, "its Machine",
     "Cluster API's core manager sets the owner: a Machine must name this Metal3Machine in spec.infrastructureRef"},
    {reason::noInfrastructure, "its cluster",
     "Cluster API's core manager sets status.initialization.infrastructureProvisioned of the Cluster once its "
     "infrastructure is ready: see ingotctl get clusters -o wide; where there is no such manager, whoever made the "
     "Cluster sets it"},
    {reason::noMetal3Cluster, "its Metal3Cluster", "create the Metal3Cluster that the Cluster names"},
    {reason::noBootstrap, "bootstrap data",
     "the bootstrap provider writes spec.bootstrap.dataSecretName of the Machine; workers get theirs once the control "
     "plane is initialized"},
};

// Without what the controller says around it: that this failed is what is asked about, and what is waited for is
// watched.
std::string textOf(const kube::Condition& condition) {
  std::string_view text = condition.message.empty() ? condition.reason : condition.message;
  if (text.ends_with(message::requeued)) text.remove_suffix(message::requeued.size());
  const std::string around = fmt::format("{}: ", message::hostFailed);
  if (text.starts_with(around)) text.remove_prefix(around.size());
  return std::string(text);
}

Obstacle obstacle(std::string waitsFor, const kube::Condition& condition, std::string next) {
  return {.waitsFor = std::move(waitsFor),
          .facts = {textOf(condition)},
          .since = condition.lastTransitionTime,
          .next = std::move(next)};
}

std::string triedAgain(const MachinePicture& picture) {
  return fmt::format("the coordinator tries again by itself; ingotctl retry machine {} has it tried at once",
                     picture.machine.metadata.name);
}

// None fits, or the one that was chosen could not be had.
Obstacle noHost(const MachinePicture& picture, const kube::Condition& condition) {
  const auto says = [&condition](std::string_view words) { return condition.message.find(words) != std::string::npos; };
  if (!says(message::noHostFound)) return obstacle("its host", condition, triedAgain(picture));
  std::string next =
      "the first host that fits is taken at once: see ingotctl get hosts, and spec.hostSelector of the machine";
  if (says(message::markedUnhealthy)) next += "; ingotctl retry host NAME takes the mark off one that works again";
  return obstacle("a host", condition, std::move(next));
}

Obstacle notAssociated(const MachinePicture& picture, const kube::Condition& condition) {
  if (condition.reason == reason::hostFailed) return noHost(picture, condition);
  const auto* known = std::ranges::find(reasons, std::string_view(condition.reason), &Reason::name);
  if (known == std::end(reasons)) return obstacle("its host", condition, triedAgain(picture));
  return obstacle(std::string(known->waitsFor), condition, std::string(known->next));
}

Obstacle noData(const MachinePicture& picture, const kube::Condition& condition) {
  Obstacle found = obstacle("its data", condition, "the data controller makes the Metal3Data and renders the Secrets");
  const auto add = [&found](std::string_view kind, const std::string& name, const std::string& error) {
    if (!error.empty()) found.facts.push_back(fmt::format("{} {}: {}", kind, name, error));
  };
  if (!picture.claim && !isUnread(picture, "Metal3DataClaim"))
    found.facts.emplace_back("its Metal3DataClaim is not there yet");
  if (picture.claim) add("Metal3DataClaim", picture.claim->metadata.name, picture.claim->status.errorMessage);
  if (picture.data) add("Metal3Data", picture.data->metadata.name, picture.data->status.errorMessage);
  return found;
}

// Whose the linked host is.
enum class Hold { nobodys, own, anothers };

Hold holdOf(const api::BareMetalHost& host, const Metal3Machine& machine) {
  const auto& consumer = host.spec.consumerRef;
  if (!consumer) return Hold::nobodys;
  const bool isMachine = consumer->kind == Metal3Machine::info.kind &&
                         consumer->apiVersion.starts_with(std::string(Metal3Machine::info.group) + "/");
  const bool isIt = consumer->name == machine.metadata.name && consumer->namespace_ == machine.metadata.namespace_;
  return isMachine && isIt ? Hold::own : Hold::anothers;
}

// What the coordinator says of its work on the machine since it has a host; nullptr: all is well.
const kube::Condition* openRest(const MachinePicture& picture) {
  const auto* rest = kube::findCondition(picture.machine.status.conditions, kRest);
  return rest != nullptr && rest->status != "True" ? rest : nullptr;
}

constexpr std::string_view kReplace = "delete the Machine: its owner makes another one, which gets another host";

bool carriesImage(const api::BareMetalHost& host) {
  return host.status.provisioning.state == "provisioned" || host.status.provisioning.state == "externally provisioned";
}

// The host, in sentences. Of one that is not claimed yet there is nothing to say but that.
std::vector<std::string> factsOf(const MachinePicture& picture, base::WallTime now) {
  const auto& host = *picture.host;
  std::vector<std::string> facts{stateAndPower(host, now)};
  if (holdOf(host, picture.machine) == Hold::nobodys) {
    facts.front() = standing(host, now);
    facts.push_back(fmt::format("host {} does not name the machine as its consumer", host.metadata.name));
    return facts;
  }
  for (std::string& line : whyWaiting(host, now)) facts.push_back(std::move(line));
  return facts;
}

Obstacle taken(const MachinePicture& picture) {
  Obstacle found{
      .waitsFor = "its host", .facts = {consumerText(picture)}, .since = std::nullopt, .next = std::string(kReplace)};
  if (const auto* rest = openRest(picture)) {
    found.facts.push_back(textOf(*rest));
    found.since = rest->lastTransitionTime;
  }
  return found;
}

// The coordinator has something to do before the host can go on, and cannot.
Obstacle untold(const MachinePicture& picture, const kube::Condition& rest, base::WallTime now) {
  const std::string& name = picture.host->metadata.name;
  return {.waitsFor = fmt::format("host {} to be told what to run", name),
          .facts = {textOf(rest), fmt::format("host {}: {}", name, standing(*picture.host, now))},
          .since = rest.lastTransitionTime,
          .next = triedAgain(picture)};
}

// A machine that has its Node needs no host to tell how far it is.
std::optional<Obstacle> unreadHost(const MachinePicture& picture, const std::string& name) {
  if (!picture.machine.spec.providerID.empty()) return std::nullopt;
  return Obstacle{.waitsFor = "host " + name,
                  .facts = {fmt::format("BareMetalHost {} cannot be read", name)},
                  .since = std::nullopt,
                  .next = "see ingotctl describe host " + name,
                  .isOfHost = true};
}

std::optional<Obstacle> atHost(const MachinePicture& picture, base::WallTime now) {
  const auto link = api::capm3::linkedHostOf(picture.machine.metadata);
  if (!link) return std::nullopt;
  if (!picture.host && isUnread(picture, api::BareMetalHost::info.kind)) return unreadHost(picture, link->name);
  if (!picture.host)
    return Obstacle{.waitsFor = "host " + link->name,
                    .facts = {fmt::format("BareMetalHost {} is not there", link->name)},
                    .since = std::nullopt,
                    .next = std::string(kReplace),
                    .isOfHost = true};
  if (!mayBeItsHost(picture)) return taken(picture);
  if (carriesImage(*picture.host) && picture.host->status.errorType.empty()) return std::nullopt;
  if (const auto* rest = openRest(picture); rest && picture.host->status.errorType.empty())
    return untold(picture, *rest, now);
  return Obstacle{.waitsFor = "host " + link->name,
                  .facts = factsOf(picture, now),
                  .since = waitsSince(*picture.host),
                  .next = "see ingotctl describe host " + link->name,
                  .isOfHost = true};
}

// Its system is on the disk, and the machine is off.
std::optional<Obstacle> atPower(const MachinePicture& picture, base::WallTime now) {
  if (!picture.host) return std::nullopt;
  const auto& host = *picture.host;
  const bool isWanted = host.spec.online;
  if (isWanted && powerOf(host).state != PowerKnowledge::State::off) return std::nullopt;
  Obstacle found{
      .waitsFor = fmt::format("host {} to be on", host.metadata.name),
      .facts = {stateAndPower(host, now), isWanted ? "it is off" : "it is switched off by spec.online: false"},
      .since = std::nullopt,
      .next = isWanted ? "see ingotctl describe host " + host.metadata.name : "ingotctl power on " + host.metadata.name,
      .isOfHost = true};
  std::ranges::move(whyWaiting(host, now), std::back_inserter(found.facts));
  return found;
}

// What Cluster API's core manager thinks of a machine that has its Node. The summary comes last.
std::optional<Obstacle> atHealth(const MachinePicture& picture) {
  if (!picture.owner) return std::nullopt;
  struct Check {
    std::string_view type, waitsFor, next;
  };
  constexpr std::string_view replacement = "whoever remediates the Machine replaces or restarts it";
  constexpr Check checks[] = {
      {"OwnerRemediated", "its replacement", replacement},
      {"ExternallyRemediated", "its remediation", replacement},
      {"HealthCheckSucceeded", "its Node to be healthy", replacement},
      {"NodeHealthy", "its Node to be healthy",
       "see the Node in the workload cluster; a MachineHealthCheck, if there is one, has it remediated"},
      {"Ready", "its Machine to be ready", "see the conditions of the Machine"},
  };
  for (const Check& check : checks) {
    const auto* condition = kube::findCondition(picture.owner->status.conditions, check.type);
    if (condition != nullptr && condition->status != "True")
      return obstacle(std::string(check.waitsFor), *condition, std::string(check.next));
  }
  return std::nullopt;
}

Obstacle leaving(const MachinePicture& picture, base::WallTime now) {
  Obstacle found{.waitsFor = "its deletion",
                 .facts = {},
                 .since = picture.machine.metadata.deletionTimestamp,
                 .next = "its finalizers go once all that it had is given back"};
  if (const auto* rest = openRest(picture)) found.facts.push_back(textOf(*rest));
  if (found.facts.empty() && !picture.machine.metadata.finalizers.empty())
    found.facts.push_back(fmt::format("held by finalizers: {}", fmt::join(picture.machine.metadata.finalizers, ", ")));
  if (!picture.host || !mayBeItsHost(picture)) return found;
  const std::string& host = picture.host->metadata.name;
  const bool isTold = !found.facts.empty() && found.facts.front().contains(picture.host->status.errorMessage);
  found.facts.push_back(
      fmt::format("host {}: {}", host, isTold ? stateAndPower(*picture.host, now) : standing(*picture.host, now)));
  found.next = "its host is deprovisioned first; see ingotctl describe host " + host;
  return found;
}

std::string nextOf(const MachinePicture& picture) {
  if (picture.remediation->status.phase == "Deleting machine") return "the owner of the Machine replaces it";
  if (hasFailedForGood(picture.remediation))
    return fmt::format("it stays so: ingotctl retry machine {} removes it, and the MachineHealthCheck makes another",
                       picture.machine.metadata.name);
  return "the MachineHealthCheck ends it once the Node is ready again";
}

std::optional<Obstacle> restarting(const MachinePicture& picture) {
  if (!picture.remediation) return std::nullopt;
  const auto& status = picture.remediation->status;
  const std::string phase = status.phase.empty() ? "not begun" : status.phase;
  Obstacle found{.waitsFor = "its remediation",
                 .facts = {fmt::format("Metal3Remediation {}: {}, attempt {}", picture.remediation->metadata.name,
                                       phase, status.retryCount + 1)},
                 .since = status.lastRemediated,
                 .next = nextOf(picture)};
  const auto& events = picture.remediationEvents;
  const auto last = std::ranges::max_element(events, {}, lastTimeOf);
  if (last != events.end()) found.facts.push_back(fmt::format("{}: {}", last->reason, last->message));
  return found;
}

// Cluster API's core manager looks after its Machine. Where it does not run nobody writes status.nodeRef, and the
// coordinator's own word is the last one.
bool isManaged(const api::capi::Machine& machine) {
  return !machine.status.phase.empty() || !machine.status.conditions.empty();
}

bool isProvisioned(const MachinePicture& picture) {
  return picture.machine.status.initialization.provisioned.value_or(false) && openRest(picture) == nullptr;
}

bool hasItsNode(const MachinePicture& picture) {
  if (picture.machine.spec.providerID.empty()) return false;
  if (!picture.owner || !picture.owner->status.nodeRef.name.empty()) return true;
  return !isManaged(*picture.owner) && isProvisioned(picture);
}

// All that the coordinator has to do is done, and the manager has not found the Node.
Obstacle unnamedNode(const MachinePicture& picture, const kube::Condition* rest) {
  return {.waitsFor = "its Machine to name its Node",
          .facts = {fmt::format("status.nodeRef of Machine {} is empty; the Node with providerID {} is to be named",
                                picture.owner->metadata.name, picture.machine.spec.providerID)},
          .since = rest != nullptr ? rest->lastTransitionTime : std::nullopt,
          .next =
              "Cluster API's core manager names the Node once that has registered: see the host's console if that "
              "does not come"};
}

std::optional<Obstacle> atNode(const MachinePicture& picture) {
  if (hasItsNode(picture)) return std::nullopt;
  const auto& machine = picture.machine;
  const auto* rest = kube::findCondition(machine.status.conditions, kRest);
  if (!machine.spec.providerID.empty() && isProvisioned(picture)) return unnamedNode(picture, rest);
  const std::string told = rest && rest->status != "True" ? textOf(*rest) : "";
  const std::string missing = machine.spec.providerID.empty()
                                  ? "no Node of the workload cluster is this machine's yet"
                                  : fmt::format("no Node with providerID {} yet", machine.spec.providerID);
  return Obstacle{
      .waitsFor = "its Node",
      .facts = {told.empty() ? missing : told},
      .since = rest ? rest->lastTransitionTime : std::nullopt,
      .next = "the host boots and its kubelet registers the Node: see the host's console if that does not come"};
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
  const auto* open = firstOpen(conditions, {kHost, kData});
  if (open && open->type == "Paused")
    return obstacle(
        "the end of its pause", *open,
        "nothing happens while spec.paused of the Cluster, or annotation cluster.x-k8s.io/paused, is there");
  if (machine.metadata.beingDeleted()) return leaving(picture, now);
  if (conditions.empty())
    return Obstacle{.waitsFor = "the coordinator",
                    .facts = {"nobody has looked at it yet"},
                    .since = machine.metadata.creationTimestamp,
                    .next = "is the coordinator running, and does its --watch-filter let this machine in?"};
  if (open && open->type == kHost) return notAssociated(picture, *open);
  if (open) return noData(picture, *open);
  if (auto found = atHost(picture, now)) return found;
  if (isOffByWish(picture)) return atPower(picture, now);
  if (auto found = restarting(picture)) return found;
  if (auto found = atPower(picture, now)) return found;
  if (auto found = atNode(picture)) return found;
  return atHealth(picture);
}

bool mayBeItsHost(const MachinePicture& picture) {
  return picture.host && holdOf(*picture.host, picture.machine) != Hold::anothers;
}

std::optional<base::WallTime> lastTimeOf(const kube::Event& event) {
  if (event.lastTimestamp) return event.lastTimestamp;
  if (event.eventTime) return event.eventTime->time;
  return event.metadata.creationTimestamp;
}

bool hasFailedForGood(const std::optional<api::capm3::v1beta2::Metal3Remediation>& remediation) {
  return remediation && remediation->status.phase == "Failed";
}

bool isOffByWish(const MachinePicture& picture) {
  return hasFailedForGood(picture.remediation) && picture.host && !picture.host->spec.online;
}

bool isItsHost(const MachinePicture& picture) {
  return picture.host && holdOf(*picture.host, picture.machine) == Hold::own;
}

std::string consumerText(const MachinePicture& picture) {
  const auto& host = *picture.host;
  const auto& consumer = host.spec.consumerRef;
  if (!consumer) return fmt::format("host {} has no consumer", host.metadata.name);
  return fmt::format("host {} is used by {} {}/{}", host.metadata.name, consumer->kind, consumer->namespace_,
                     consumer->name);
}

}  // namespace ingot::cli
