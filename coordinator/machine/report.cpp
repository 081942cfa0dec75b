#include "coordinator/machine/report.hpp"

#include "api/capm3/machine_words.hpp"
#include "base/cut_text.hpp"
#include "coordinator/caches/lasting_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::coordinator::machine {

namespace {

namespace reason = api::capm3::reason;

constexpr std::string_view kAssociate = api::capm3::condition::host, kMetaData = api::capm3::condition::metaData,
                           kDataReady = api::capm3::condition::data;
constexpr std::string_view kLegacyAssociate = "AssociateBMH", kLegacyNode = "KubernetesNodeReady";
constexpr std::array kSummarized{kAssociate, kMetaData, kDataReady};
constexpr std::array kLegacySummarized{kLegacyAssociate, kDataReady, kLegacyNode};
constexpr std::string_view kSuccess = "AssociateBareMetalHostSuccess",
                           kReuseSuccess = "AssociateBareMetalHostViaNodeReuseSuccess";

// Far from what a legacy condition holds, and nobody reads as much: labels, and errors of hosts, are of any length.
constexpr std::size_t kLongestText = 2048;
static_assert(kLongestError < kLongestText);

// A status write of each of a thousand machines that wait for hosts, whenever some host changes, is too many.
constexpr auto kTellAnew = std::chrono::minutes(5);

}  // namespace

namespace step {

const Step associate{.condition = kAssociate,
                     .reason = reason::hostFailed,
                     .failure = api::capm3::message::hostFailed,
                     .legacy = Step::Legacy{kLegacyAssociate, "Error", "AssociateBMHFailed"}};
const Step data{.condition = kMetaData,
                .reason = "AssociateMetal3MachineMetaDataFailed",
                .failure = "Failed to get the Metal3Metadata",
                .legacy = Step::Legacy{kLegacyNode, "Warning", "AssociateM3MetaDataFailed"}};
const Step writeHost{.condition = kMetaData, .reason = "CreateError", .failure = "failed to update BareMetalHost"};
// Legacy conditions have no place for it: KubernetesNodeReady never turns True, and goes once data are asked for.
const Step host{.condition = kMetaData,
                .reason = "BareMetalHostNotProvisioned",
                .failure = "the BareMetalHost cannot be provisioned"};
const Step update{.condition = kMetaData, .reason = "UpdateError", .failure = "Failed to update the Metal3Machine"};
const Step nodeByProviderId{
    .condition = kMetaData,
    .reason = "CreateError",
    .failure = "failed to set ProviderID on Metal3Machine based on Cloud Provider Node ProviderID"};
const Step nodeByLabel{.condition = kMetaData,
                       .reason = "CreateError",
                       .failure = "failed to set ProviderID on Metal3Machine based on Node label"};
const Step nodeByHostname{.condition = kMetaData,
                          .reason = "UpdateError",
                          .failure = "unable to find Node by hostname, it may not be ready yet"};
const Step dissociate{.condition = kMetaData,
                      .reason = "DisassociateM3MetaDataFailed",
                      .failure = "failed to dissociate Metadata",
                      .legacy = Step::Legacy{kLegacyNode, "Warning", "DisassociateM3MetaDataFailed"}};
const Step remove{.condition = kMetaData,
                  .reason = "DeletionFailed",
                  .failure = "failed to delete Metal3Machine",
                  .legacy = Step::Legacy{kLegacyNode, "Warning", "DeletionFailed"}};
const Step setPause{.condition = kAssociate,
                    .reason = "BareMetalHostPauseAnnotationSetFailed",
                    .failure = "Failed to set pause annotation on associated BareMetalHost. Error",
                    .legacy = Step::Legacy{kLegacyAssociate, "Info", "PauseAnnotationSetFailedReason"},
                    .isPause = true};
const Step removePause{.condition = kAssociate,
                       .reason = "BareMetalHostPauseAnnotationRemoveFailed",
                       .failure = "Failed to remove pause annotation on associated BareMetalHost. Error",
                       .legacy = Step::Legacy{kLegacyAssociate, "Info", "PauseAnnotationRemoveFailed"},
                       .isPause = true};

}  // namespace step

namespace {

constexpr std::array kMetaDataSteps{&step::data,       &step::writeHost,   &step::host,
                                    &step::update,     &step::nodeByLabel, &step::nodeByHostname,
                                    &step::dissociate, &step::remove,      &step::nodeByProviderId};

bool isFailureOf(const kube::Condition* condition) {
  return condition != nullptr && condition->status == "False" &&
         std::ranges::any_of(kMetaDataSteps, [&](const Step* step) { return condition->reason == step->reason; });
}

bool saysPaused(const kube::Condition* condition) {
  return condition != nullptr && condition->reason == cluster::kPaused;
}

}  // namespace

void Report::missing(Missing what) {
  const auto waits = [this](std::string_view legacyReason, std::string_view reason, const char* message) {
    if (!legacyReason.empty()) conditions_.setLegacyFalse(kLegacyAssociate, "Info", legacyReason, message);
    conditions_.setFalse(kAssociate, reason, message);
  };
  switch (what) {
    case Missing::nothing: return;
    case Missing::owner:
      return waits("WaitingForM3MachineOwnerRef", reason::noOwner,
                   "Waiting for Machine Controller to set OwnerRef on Metal3Machine");
    case Missing::cluster:
      conditions_.failNoMore();
      return waits("", reason::noInfrastructure, "Machine is missing cluster label or cluster does not exist");
    case Missing::infrastructure:
      return waits("WaitingForClusterInfrastructure", reason::noInfrastructure,
                   "Waiting for Metal3Cluster Controller to create cluster infrastructure");
    case Missing::metalCluster:
      return waits("WaitingforMetal3Cluster", reason::noMetal3Cluster,
                   "Waiting for Metal3Cluster Controller to create the Metal3Cluster");
  }
}

void Report::missingOwner(const std::string& name) {
  const std::string message = fmt::format("Waiting for Machine {}, which the owner reference names", name);
  conditions_.setLegacyFalse(kLegacyAssociate, "Info", "WaitingForM3MachineOwnerRef", message);
  conditions_.setFalse(kAssociate, "WaitingForMetal3MachineOwnerRef", message);
}

// Nobody tries what has failed before: whether it still would is not known (docs/decisions/0045).
void Report::paused(const std::string& why) {
  conditions_.setTrue(cluster::kPaused, cluster::kPaused, why);
  if (const auto* shown = kube::findCondition(machine_.status.conditions, kMetaData);
      isFailureOf(shown) || saysPaused(shown)) {
    conditions_.setFalse(kMetaData, cluster::kPaused, why);
    conditions_.removeLegacy(kLegacyNode);
  }
  if (wasAssociated(machine_)) return;  // a pause takes nothing away
  conditions_.setLegacyFalse(kLegacyAssociate, "Info", "Metal3MachinePaused", why);
  conditions_.setFalse(kAssociate, "Paused", why);
}

void Report::notPaused() {
  conditions_.setFalse(cluster::kPaused, "NotPaused");
  if (saysPaused(kube::findCondition(machine_.status.conditions, kMetaData))) conditions_.remove(kMetaData);
}

void Report::waitsForBootstrap() {
  const char* message = "Waiting for bootstrap data to be ready before proceeding";
  conditions_.setLegacyFalse(kLegacyAssociate, "Info", "WaitingForBootstrapReady", message);
  conditions_.setFalse(kAssociate, reason::noBootstrap, message);
}

void Report::associated(bool forReuse, const std::string& why) {
  conditions_.setLegacyTrue(kLegacyAssociate);
  const auto* before = kube::findCondition(machine_.status.conditions, kAssociate);
  if (before == nullptr || before->status != "True")
    conditions_.setTrue(kAssociate, forReuse ? kReuseSuccess : kSuccess, base::cutText(why, kLongestText));
}

void Report::askedForData() { conditions_.removeLegacy(kLegacyNode); }

void Report::hasMetaData() { conditions_.setTrue(kMetaData, "AssociateMetal3MachineMetaDataSuccess"); }

void Report::waitsForData() {
  conditions_.setLegacyFalse(kDataReady, "Info", "WaitingForMetal3Data");
  conditions_.setFalse(kDataReady, "WaitingForMetal3Data");
}

void Report::dataReady(std::string_view reason) {
  conditions_.setLegacyTrue(kDataReady);
  if (!kube::isTrue(machine_.status.conditions, kDataReady)) conditions_.setTrue(kDataReady, reason);
}

void Report::leaving(const std::string& why) {
  const std::string message = base::cutText(why, kLongestText);
  conditions_.setLegacyFalse(kLegacyNode, "Info", "Deleting", message);
  conditions_.setFalse(kMetaData, "Deleting", message);
}

void Report::failed(const Step& at, const std::string& error) {
  const std::string message = base::cutText(fmt::format("{}: {}", at.failure, error), kLongestText);
  conditions_.setFalse(at.condition, at.reason, message);
  if (at.isPause) conditions_.setFalse(cluster::kPaused, at.reason, message);
  if (at.legacy) conditions_.setLegacyFalse(at.legacy->type, at.legacy->severity, at.legacy->reason, message);
}

void Report::stillFails(const Step& at, const std::string& error) {
  if (tellsAnew(at, error)) failed(at, error);
}

bool Report::tellsAnew(const Step& at, const std::string& error) const {
  // That there are hosts by now is news, and what becomes of each is not.
  const auto outline = [](const std::string& text) {
    return std::pair(text.substr(0, text.find('(')), text.contains(api::capm3::message::noHostThere));
  };
  const auto* shown = kube::findCondition(machine_.status.conditions, at.condition);
  const bool isTold = shown != nullptr && shown->status == "False" && shown->reason == at.reason &&
                      shown->observedGeneration == machine_.metadata.generation &&
                      outline(shown->message) == outline(fmt::format("{}: {}", at.failure, error));
  const auto& last = machine_.status.lastUpdated;
  return !isTold || !last || now_ - *last >= kTellAnew;
}

void Report::finish(const api::capm3::v1beta2::Metal3MachineStatus& before) {
  conditions_.finish(kSummarized, kLegacySummarized);
  if (machine_.status != before) machine_.status.lastUpdated = std::chrono::floor<std::chrono::seconds>(now_);
}

bool mayStand(const api::capm3::v1beta2::Metal3MachineStatus& shown) {
  return std::ranges::all_of(shown.conditions, [](const kube::Condition& condition) {
    if (condition.type == cluster::kReady) return true;  // of the others
    if (condition.type == cluster::kPaused) return condition.reason == "NotPaused";
    return condition.status == "True" || condition.reason.starts_with("WaitingFor") ||
           condition.reason.starts_with("Waitingfor");
  });
}

bool isAssociated(const Metal3Machine& machine) { return kube::isTrue(machine.status.conditions, kAssociate); }

bool wasAssociated(const Metal3Machine& machine) {
  if (isAssociated(machine)) return true;
  // A status may be lost on a move, or in a backup; the providerID is not.
  return !machine.spec.providerID.empty() || machine.status.userData.has_value() ||
         machine.status.initialization.provisioned.value_or(false);
}

}  // namespace ingot::coordinator::machine
