#include "coordinator/cluster/decision.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/cluster/status_conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ingot::coordinator::cluster {
namespace {

namespace v1beta2 = api::capm3::v1beta2;

constexpr std::string_view kInfrastructure = "BaremetalInfrastructureReady";
constexpr std::array kSummarized{kInfrastructure};
constexpr base::Duration kOwnerComesSoon = std::chrono::minutes(1);
constexpr const char *kInvalidConfiguration = "InvalidConfiguration", *kNoOwner = "WaitingForClusterOwnerRef",
                     *kOwnerMissing = "FailedToGetOwnerCluster";

// Why it rests, a line for each reason; "" when it does not.
std::string pauseOf(const Metal3Cluster& metal, const Cluster* cluster) {
  std::vector<std::string_view> reasons;
  if (cluster != nullptr && cluster->paused()) reasons.push_back("Cluster spec.paused is set to true");
  if (api::capi::isPaused(metal.metadata))
    reasons.push_back("Metal3Cluster has the cluster.x-k8s.io/paused annotation");
  return fmt::format("{}", fmt::join(reasons, ", "));
}

// An annotation; the page of the contract calls it a label (spec/cluster-api.md §1.9).
bool isManagedElsewhere(const kube::ObjectMeta& metadata) {
  const std::string key(api::capm3::annotation::managedBy);
  return metadata.annotation(key) != nullptr || metadata.label(key) != nullptr;
}

std::vector<std::string_view> missingFields(const v1beta2::APIEndpoint& endpoint) {
  std::vector<std::string_view> missing;
  if (endpoint.host.empty()) missing.push_back("ControlPlaneEndpoint.Host");
  if (endpoint.port == 0) missing.push_back("ControlPlaneEndpoint.Port");
  return missing;
}

void showProvisioned(Metal3Cluster& metal, StatusConditions<Metal3Cluster>& conditions) {
  metal.status.initialization.provisioned = true;
  conditions.setTrue(kInfrastructure, kReady);
  conditions.setLegacyTrue(kInfrastructure);
}

void showPause(StatusConditions<Metal3Cluster>& conditions, const std::string& why) {
  if (why.empty())
    conditions.setFalse(kPaused, "NotPaused");
  else
    conditions.setTrue(kPaused, kPaused, why);
}

void showOwnerless(Metal3Cluster& metal, StatusConditions<Metal3Cluster>& conditions, base::WallTime now) {
  const char* message = "Waiting for Cluster Controller to set OwnerRef on Metal3Cluster";
  conditions.failNoMore();
  if (metal.status.initialization.provisioned.value_or(false)) {
    const auto* shown = kube::findCondition(metal.status.conditions, kInfrastructure);
    if (shown != nullptr && shown->reason == kOwnerMissing) showProvisioned(metal, conditions);  // it names none now
    return;
  }
  if (untilOwnerIsMissed(metal, now).count() > 0) return;
  conditions.setFalse(kInfrastructure, kNoOwner, message);
  conditions.setLegacyFalse(kInfrastructure, "Info", kNoOwner, message);
}

void showOwnerMissing(const kube::ObjectKey& owner, StatusConditions<Metal3Cluster>& conditions) {
  const std::string message = fmt::format("Cluster {} does not exist", owner.text());
  conditions.fail(kInvalidConfiguration, "Unable to get owner cluster");
  conditions.setFalse(kInfrastructure, kOwnerMissing, message);
  conditions.setLegacyFalse(kInfrastructure, "Error", "InternalFailureOccured", message);
}

void showEndpoint(Metal3Cluster& metal, StatusConditions<Metal3Cluster>& conditions) {
  const auto missing = missingFields(metal.spec.controlPlaneEndpoint);
  conditions.failNoMore();
  if (missing.empty()) return showProvisioned(metal, conditions);
  const std::string message =
      fmt::format("Invalid Metal3Cluster provided: missing fields from Spec: [{}]", fmt::join(missing, " "));
  conditions.fail(kInvalidConfiguration, "Invalid Metal3Cluster provided");
  conditions.setFalse(kInfrastructure, kInvalidConfiguration, message);
  conditions.setLegacyFalse(kInfrastructure, "Error", kInvalidConfiguration, message);
}

}  // namespace

std::optional<kube::ObjectKey> ownerOf(const kube::ObjectMeta& metadata) {
  const auto* owner = ownerOfKind(metadata, Cluster::info);
  if (owner == nullptr) return std::nullopt;
  return kube::ObjectKey{metadata.namespace_, owner->name};
}

std::optional<kube::ObjectKey> clusterOf(const Metal3Cluster& metal) {
  if (auto owner = ownerOf(metal.metadata)) return owner;
  const std::string* name = metal.metadata.label(std::string(api::capm3::label::clusterName));
  if (name == nullptr) return std::nullopt;
  return kube::ObjectKey{metal.metadata.namespace_, *name};
}

Standing standingOf(const Metal3Cluster& metal, const Cluster* cluster) {
  if (isManagedElsewhere(metal.metadata)) return Standing::external;
  if (!pauseOf(metal, cluster).empty()) return Standing::paused;
  if (!ownerOf(metal.metadata)) return Standing::ownerless;
  return cluster == nullptr ? Standing::ownerMissing : Standing::open;
}

base::Duration untilOwnerIsMissed(const Metal3Cluster& metal, base::WallTime now) {
  const auto age = std::chrono::duration_cast<base::Duration>(now - metal.metadata.creationTimestamp.value_or(now));
  return std::clamp(kOwnerComesSoon - age, base::Duration::zero(), kOwnerComesSoon);
}

void show(Metal3Cluster& metal, const Cluster* cluster, base::WallTime now) {
  const v1beta2::Metal3ClusterStatus before = metal.status;
  const Standing standing = standingOf(metal, cluster);
  metal.status.failureDomains = metal.spec.failureDomains;
  StatusConditions<Metal3Cluster> conditions(metal, now);
  const bool wasAsked = kube::findCondition(before.conditions, kPaused) != nullptr;
  if (wasAsked || standing == Standing::paused || standing == Standing::open)
    showPause(conditions, pauseOf(metal, cluster));
  if (!metal.metadata.beingDeleted()) {
    if (standing == Standing::open) showEndpoint(metal, conditions);
    if (standing == Standing::ownerless) showOwnerless(metal, conditions, now);
    if (standing == Standing::ownerMissing) showOwnerMissing(*ownerOf(metal.metadata), conditions);
  }
  conditions.finish(kSummarized, kSummarized);
  if (metal.status != before) metal.status.lastUpdated = std::chrono::floor<std::chrono::seconds>(now);
}

bool mattersToCluster(const Metal3Cluster& before, const Metal3Cluster& after) {
  kube::ObjectMeta same = before.metadata;
  same.resourceVersion = after.metadata.resourceVersion;
  return same != after.metadata;  // the generation stands for the spec
}

}  // namespace ingot::coordinator::cluster
