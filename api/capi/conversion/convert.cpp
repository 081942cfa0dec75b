// Members that are the same in both versions are not listed. What one version does not have is dropped by its struct.
#include "api/capi/conversion/convert.hpp"

#include "api/capi/kind_words.hpp"
#include "api/capi/v1beta1/cluster.hpp"
#include "api/capi/v1beta1/machine.hpp"
#include "api/capi/v1beta2/cluster.hpp"
#include "api/capi/v1beta2/machine.hpp"
#include "api/conversion/engine.hpp"

namespace ingot::api::capi {

namespace {

using namespace conversion;

constexpr Move kConditions[] = {
    {"", "conditions", "deprecated.v1beta1.conditions"},
    {"", "v1beta2.conditions", "conditions"},
    {"", "failureReason", "deprecated.v1beta1.failureReason"},
    {"", "failureMessage", "deprecated.v1beta1.failureMessage"},
};

constexpr Move kDeletion[] = {
    {"", "nodeDrainTimeout", "deletion.nodeDrainTimeoutSeconds", Form::seconds},
    {"", "nodeVolumeDetachTimeout", "deletion.nodeVolumeDetachTimeoutSeconds", Form::seconds},
    {"", "nodeDeletionTimeout", "deletion.nodeDeletionTimeoutSeconds", Form::seconds},
};

constexpr Move kHealthCheck[] = {
    {.scope = "machineHealthCheck.unhealthyConditions[]",
     .v1beta1 = "timeout",
     .v1beta2 = "timeoutSeconds",
     .form = Form::seconds,
     .upDefault = "0",
     .downDefault = R"("0s")"},
    {.scope = "machineHealthCheck.unhealthyMachineConditions[]",
     .v1beta1 = "timeout",
     .v1beta2 = "timeoutSeconds",
     .form = Form::seconds,
     .upDefault = "0",
     .downDefault = R"("0s")"},
    {"", "machineHealthCheck.enable", "healthCheck.enabled"},
    {"", "machineHealthCheck.unhealthyConditions", "healthCheck.checks.unhealthyNodeConditions"},
    {"", "machineHealthCheck.unhealthyMachineConditions", "healthCheck.checks.unhealthyMachineConditions"},
    {"", "machineHealthCheck.nodeStartupTimeout", "healthCheck.checks.nodeStartupTimeoutSeconds", Form::seconds},
    {"", "machineHealthCheck.maxUnhealthy", "healthCheck.remediation.triggerIf.unhealthyLessThanOrEqualTo"},
    {"", "machineHealthCheck.unhealthyRange", "healthCheck.remediation.triggerIf.unhealthyInRange"},
    {"", "machineHealthCheck.remediationTemplate", "healthCheck.remediation.templateRef", Form::templateReference},
};

constexpr Move kStrategy[] = {
    {"", "strategy.type", "rollout.strategy.type"},
    {"", "strategy.rollingUpdate.maxUnavailable", "rollout.strategy.rollingUpdate.maxUnavailable"},
    {"", "strategy.rollingUpdate.maxSurge", "rollout.strategy.rollingUpdate.maxSurge"},
    {"", "strategy.rollingUpdate.deletePolicy", "deletion.order"},
    {"", "strategy.remediation.maxInFlight", "healthCheck.remediation.maxInFlight"},
};

constexpr Move kClusterSpec[] = {
    {"", "paused", "paused", Form::onlyTrue},
    {"", "controlPlaneRef", "controlPlaneRef", Form::contractReference},
    {"", "infrastructureRef", "infrastructureRef", Form::contractReference},
    {"", "topology.class", "topology.classRef.name"},
    {"", "topology.classNamespace", "topology.classRef.namespace"},
};

constexpr Move kClusterStatus[] = {
    {"", "v1beta2.controlPlane", "controlPlane"},
    {"", "v1beta2.workers", "workers"},
    {"", "infrastructureReady", "initialization.infrastructureProvisioned", Form::onlyTrue},
    {"", "controlPlaneReady", "initialization.controlPlaneInitialized", Form::onlyTrue},
    {"", "failureDomains", "failureDomains", Form::namedObjects},
    {.scope = "failureDomains[]", .v1beta1 = "controlPlane", .v1beta2 = "controlPlane", .upDefault = "false"},
};

constexpr Move kMachineSpec[] = {
    {"bootstrap", "configRef", "configRef", Form::contractReference},
    {"", "infrastructureRef", "infrastructureRef", Form::contractReference},
};

constexpr Move kMachineStatus[] = {
    {"", "nodeRef", "nodeRef", Form::nodeReference},
    {"", "phase", "phase", Form::machinePhase},
    {"", "infrastructureReady", "initialization.infrastructureProvisioned", Form::onlyTrue},
    {"", "bootstrapReady", "initialization.bootstrapDataSecretCreated", Form::onlyTrue},
};

constexpr std::string_view kControlPlane = "spec.topology.controlPlane",
                           kMachineDeployments = "spec.topology.workers.machineDeployments[]",
                           kMachinePools = "spec.topology.workers.machinePools[]";

constexpr Part kClusterParts[] = {
    {"spec", kClusterSpec},           {kControlPlane, kDeletion},       {kControlPlane, kHealthCheck},
    {kMachineDeployments, kDeletion}, {kMachineDeployments, kStrategy}, {kMachineDeployments, kHealthCheck},
    {kMachinePools, kDeletion},       {"status", kConditions},          {"status", kClusterStatus},
};
constexpr Part kMachineParts[] = {
    {"spec", kMachineSpec}, {"spec", kDeletion}, {"status", kConditions}, {"status", kMachineStatus}};

using When = Restored::When;
constexpr Restored kClusterRestored[] = {{"spec.paused", When::wasFalse},
                                         {"status.initialization.infrastructureProvisioned", When::wasFalse},
                                         {"status.initialization.controlPlaneInitialized", When::wasFalse}};
// The phase is written by v1beta2's controllers alone.
constexpr Restored kMachineRestored[] = {{"spec.minReadySeconds", When::kept},
                                         {"status.phase", When::kept},
                                         {"status.phase", When::wasAbsent},
                                         {"status.failureDomain", When::kept},
                                         {"status.initialization.infrastructureProvisioned", When::wasFalse},
                                         {"status.initialization.bootstrapDataSecretCreated", When::wasFalse}};

constexpr std::string_view kClusterReferences[] = {
    "spec.controlPlaneRef", "spec.infrastructureRef",
    "spec.topology.controlPlane.machineHealthCheck.remediationTemplate",
    "spec.topology.workers.machineDeployments[].machineHealthCheck.remediationTemplate"};
constexpr std::string_view kMachineReferences[] = {"spec.bootstrap.configRef", "spec.infrastructureRef"};

constexpr KindTable kTables[] = {
    {"Cluster", asWrittenBy<v1beta1::Cluster>, asWrittenBy<v1beta2::Cluster>, kClusterParts, true, kClusterRestored,
     kClusterReferences},
    {"Machine", asWrittenBy<v1beta1::Machine>, asWrittenBy<v1beta2::Machine>, kMachineParts, true, kMachineRestored,
     kMachineReferences},
};

}  // namespace

json::Value convert(json::Value object, std::string_view version) {
  return conversion::convert({kGroup, kTables}, std::move(object), version);
}

}  // namespace ingot::api::capi
