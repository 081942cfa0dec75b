// How the API knows Cluster and Machine of v1beta1.
#include "api/capi/kind_words.hpp"
#include "api/capi/v1beta1/cluster.hpp"
#include "api/capi/v1beta1/machine.hpp"

namespace ingot::api::capi::v1beta1 {

namespace {

constexpr std::string_view kVersion = "v1beta1";

constexpr kube::Column kClusterColumns[] = {
    {.name = "ClusterClass", .type = "string", .jsonPath = ".spec.topology.class", .description = "Its ClusterClass"},
    column::phase,
    column::age,
    column::topologyVersion,
};
constexpr kube::Column kMachineColumns[] = {
    column::clusterName,
    {.name = "NodeName", .type = "string", .jsonPath = ".status.nodeRef.name", .description = "Its node"},
    {.name = "ProviderID",
     .type = "string",
     .jsonPath = ".spec.providerID",
     .description = "Identity that the infrastructure provider gives it"},
    column::phase,
    column::age,
    column::version,
};

}  // namespace

constinit const kube::KindInfo Cluster::info = infoOf(kCluster, kVersion, kClusterColumns);
constinit const kube::KindInfo Machine::info = infoOf(kMachine, kVersion, kMachineColumns);

}  // namespace ingot::api::capi::v1beta1

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::v1beta1::Cluster>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::v1beta1::Machine>();
