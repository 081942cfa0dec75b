// How the API knows Cluster and Machine of v1beta2, which is stored.
#include "api/capi/kind_words.hpp"
#include "api/capi/v1beta2/cluster.hpp"
#include "api/capi/v1beta2/machine.hpp"

namespace ingot::api::capi::v1beta2 {

namespace {

constexpr std::string_view kVersion = "v1beta2";
constexpr int kWide = 10;

constexpr kube::Column count(std::string_view name, std::string_view path, std::string_view what, int priority = 0) {
  return {.name = name, .type = "integer", .jsonPath = path, .priority = priority, .description = what};
}

constexpr kube::Column said(std::string_view name, std::string_view path, std::string_view what, int priority = 0) {
  return {.name = name, .type = "string", .jsonPath = path, .priority = priority, .description = what};
}

constexpr kube::Column kAvailable =
    said("Available", R"(.status.conditions[?(@.type=="Available")].status)", "Whether it can be used");
constexpr kube::Column kPaused =
    said("Paused", R"(.status.conditions[?(@.type=="Paused")].status)", "Whether controllers leave it as it is", kWide);

constexpr kube::Column kClusterColumns[] = {
    said("ClusterClass", ".spec.topology.classRef.name", "Its ClusterClass"),
    kAvailable,
    count("CP Desired", ".status.controlPlane.desiredReplicas", "Control plane machines that are wanted"),
    count("CP Current", ".status.controlPlane.replicas", "Control plane machines", kWide),
    count("CP Ready", ".status.controlPlane.readyReplicas", "Control plane machines that are ready", kWide),
    count("CP Available", ".status.controlPlane.availableReplicas", "Control plane machines that can be used"),
    count("CP Up-to-date", ".status.controlPlane.upToDateReplicas", "Control plane machines as specified"),
    count("W Desired", ".status.workers.desiredReplicas", "Workers that are wanted"),
    count("W Current", ".status.workers.replicas", "Workers", kWide),
    count("W Ready", ".status.workers.readyReplicas", "Workers that are ready", kWide),
    count("W Available", ".status.workers.availableReplicas", "Workers that can be used"),
    count("W Up-to-date", ".status.workers.upToDateReplicas", "Workers as specified"),
    kPaused,
    column::phase,
    column::age,
    column::topologyVersion,
};
constexpr kube::Column kMachineColumns[] = {
    column::clusterName,
    said("Node Name", ".status.nodeRef.name", "Its node"),
    said("Provider ID", ".spec.providerID", "Identity that the infrastructure provider gives it", kWide),
    said("Failure domain", ".status.failureDomain", "Failure domain that it is in"),
    said("Ready", R"(.status.conditions[?(@.type=="Ready")].status)", "Whether it is ready"),
    kAvailable,
    said("Up-to-date", R"(.status.conditions[?(@.type=="UpToDate")].status)", "Whether it is as specified"),
    said("Internal-IP", R"(.status.addresses[?(@.type=="InternalIP")].address)", "Address within the cluster", kWide),
    said("External-IP", R"(.status.addresses[?(@.type=="ExternalIP")].address)", "Address from outside", kWide),
    said("OS-Image", ".status.nodeInfo.osImage", "Its operating system", kWide),
    kPaused,
    column::phase,
    column::age,
    column::version,
};

}  // namespace

constinit const kube::KindInfo Cluster::info = infoOf(kCluster, kVersion, kClusterColumns);
constinit const kube::KindInfo Machine::info = infoOf(kMachine, kVersion, kMachineColumns);

}  // namespace ingot::api::capi::v1beta2

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::v1beta2::Cluster>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::v1beta2::Machine>();
