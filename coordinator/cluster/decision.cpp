#include "coordinator/cluster/decision.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/cluster/conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ingot::coordinator::cluster {
namespace {

namespace v1beta2 = api::capm3::v1beta2;

constexpr std::string_view kInfrastructure = "BaremetalInfrastructureReady", kPaused = "Paused";
constexpr std::array kSummarized{kInfrastructure};
constexpr const char* kInvalidConfiguration = "InvalidConfiguration";

// Why it rests, a line for each reason; "" when it does not.
std::string pauseOf(const Metal3Cluster& metal, const Cluster* cluster) {
  std::vector<std::string_view> reasons;
  if (cluster != nullptr && cluster->paused()) reasons.push_back("Cluster spec.paused is set to true");
  if (api::capi::isPaused(metal.metadata))
    reasons.push_back("Metal3Cluster has the cluster.x-k8s.io/paused annotation");
  return fmt::format("{}", fmt::join(reasons, ", "));
}

std::vector<std::string_view> missingFields(const v1beta2::APIEndpoint& endpoint) {
  std::vector<std::string_view> missing;
  if (endpoint.host.empty()) missing.push_back("ControlPlaneEndpoint.Host");
  if (endpoint.port == 0) missing.push_back("ControlPlaneEndpoint.Port");
  return missing;
}

class StatusWriter {
 public:
  StatusWriter(Metal3Cluster& metal, base::WallTime now)
      : metal_(metal), now_(now), conditions_(metal.status.conditions, metal.metadata.generation, now) {}

  void infrastructureReady() {
    metal_.status.initialization.provisioned = true;
    conditions_.setTrue(kInfrastructure, kReady);
    setLegacyCondition(legacy().conditions, {.type = std::string(kInfrastructure), .status = "True"}, now_);
  }
  void infrastructureFailed(const char* reason, const std::string& message) {
    setLegacyCondition(legacy().conditions,
                       {.type = std::string(kInfrastructure),
                        .status = "False",
                        .severity = "Error",
                        .reason = reason,
                        .message = message},
                       now_);
  }
  void configurationFailed(const char* message) {
    legacy().failureReason = kInvalidConfiguration;
    legacy().failureMessage = message;
  }
  void configurationWorks() {
    legacy().failureReason.reset();
    legacy().failureMessage.reset();
  }
  void paused(const std::string& why) {
    if (why.empty())
      conditions_.setFalse(kPaused, "NotPaused");
    else
      conditions_.setTrue(kPaused, kPaused, why);
  }
  void endpointInvalid(const std::string& message) {
    conditions_.setFalse(kInfrastructure, kInvalidConfiguration, message);
  }

  // Ready from all the others, and Cluster API's order: Ready first, Paused last.
  void finish() {
    auto& all = metal_.status.conditions;
    auto ready = summaryOf(all, kSummarized);
    ready.observedGeneration = metal_.metadata.generation;
    kube::setCondition(all, std::move(ready), now_);
    std::ranges::sort(all, {}, [](const kube::Condition& c) {
      const int place = c.type == kReady ? 0 : c.type == kPaused ? 2 : 1;
      return std::pair(place, c.type);
    });
    if (auto summary = legacySummaryOf(legacy().conditions, kSummarized))
      setLegacyCondition(legacy().conditions, std::move(*summary), now_);
    if (legacy() == v1beta2::Metal3ClusterLegacyStatus{}) metal_.status.deprecated.reset();
  }

 private:
  v1beta2::Metal3ClusterLegacyStatus& legacy() {
    if (!metal_.status.deprecated) metal_.status.deprecated.emplace();
    if (!metal_.status.deprecated->v1beta1) metal_.status.deprecated->v1beta1.emplace();
    return *metal_.status.deprecated->v1beta1;
  }

  Metal3Cluster& metal_;
  base::WallTime now_;
  kube::ConditionSetter conditions_;
};

void showEndpoint(const Metal3Cluster& metal, StatusWriter& status) {
  const auto missing = missingFields(metal.spec.controlPlaneEndpoint);
  status.configurationWorks();
  if (missing.empty()) return status.infrastructureReady();
  const std::string message =
      fmt::format("Invalid Metal3Cluster provided: missing fields from Spec: [{}]", fmt::join(missing, " "));
  status.configurationFailed("Invalid Metal3Cluster provided");
  status.endpointInvalid(message);
  status.infrastructureFailed(kInvalidConfiguration, message);
}

}  // namespace

std::optional<kube::ObjectKey> ownerOf(const kube::ObjectMeta& metadata) {
  const auto found = std::ranges::find_if(metadata.ownerReferences, [](const kube::OwnerReference& owner) {
    const std::string_view group = std::string_view(owner.apiVersion).substr(0, owner.apiVersion.find('/'));
    return owner.kind == Cluster::info.kind && group == Cluster::info.group;
  });
  if (found == metadata.ownerReferences.end()) return std::nullopt;
  return kube::ObjectKey{metadata.namespace_, found->name};
}

std::optional<kube::ObjectKey> clusterOf(const Metal3Cluster& metal) {
  if (auto owner = ownerOf(metal.metadata)) return owner;
  const std::string* name = metal.metadata.label(std::string(api::capm3::label::clusterName));
  if (name == nullptr) return std::nullopt;
  return kube::ObjectKey{metal.metadata.namespace_, *name};
}

Standing standingOf(const Metal3Cluster& metal, const Cluster* cluster) {
  if (metal.metadata.annotation(std::string(api::capm3::annotation::managedBy)) != nullptr) return Standing::external;
  if (!pauseOf(metal, cluster).empty()) return Standing::paused;
  if (!ownerOf(metal.metadata)) return Standing::ownerless;
  return cluster == nullptr ? Standing::ownerMissing : Standing::open;
}

void show(Metal3Cluster& metal, const Cluster* cluster, base::WallTime now) {
  const v1beta2::Metal3ClusterStatus before = metal.status;
  const Standing standing = standingOf(metal, cluster);
  metal.status.failureDomains = metal.spec.failureDomains;
  StatusWriter status(metal, now);
  const bool wasAsked = kube::findCondition(before.conditions, kPaused) != nullptr;
  if (wasAsked || standing == Standing::paused || standing == Standing::open) status.paused(pauseOf(metal, cluster));
  if (!metal.metadata.beingDeleted()) {
    if (standing == Standing::open) showEndpoint(metal, status);
    if (standing == Standing::ownerless) status.configurationWorks();
    if (standing == Standing::ownerMissing) {
      status.configurationFailed("Unable to get owner cluster");
      status.infrastructureFailed("InternalFailureOccured",
                                  fmt::format("Cluster {} does not exist", ownerOf(metal.metadata)->text()));
    }
  }
  status.finish();
  if (metal.status != before) metal.status.lastUpdated = std::chrono::floor<std::chrono::seconds>(now);
}

bool mattersToCluster(const Metal3Cluster& before, const Metal3Cluster& after) {
  kube::ObjectMeta same = before.metadata;
  same.resourceVersion = after.metadata.resourceVersion;
  return same != after.metadata;  // the generation stands for the spec
}

}  // namespace ingot::coordinator::cluster
