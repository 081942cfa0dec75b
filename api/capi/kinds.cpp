#include "api/capi/cluster.hpp"
#include "api/capi/kind_words.hpp"
#include "api/capi/owners.hpp"

namespace ingot::api::capi {

namespace {

constexpr std::string_view kStored = "v1beta2";

}  // namespace

constinit const kube::KindInfo Cluster::info = infoOf(kCluster, kStored, {});
constinit const kube::KindInfo Machine::info = infoOf(kMachine, kStored, {});

const kube::KindInfo MachineSet::info{
    .group = kGroup, .version = kStored, .kind = "MachineSet", .plural = "machinesets", .statusSubresource = true};

const kube::KindInfo MachineDeployment::info{.group = kGroup,
                                             .version = kStored,
                                             .kind = "MachineDeployment",
                                             .plural = "machinedeployments",
                                             .statusSubresource = true};

const kube::KindInfo KubeadmControlPlane::info{.group = "controlplane.cluster.x-k8s.io",
                                               .version = kStored,
                                               .kind = "KubeadmControlPlane",
                                               .plural = "kubeadmcontrolplanes",
                                               .statusSubresource = true};

}  // namespace ingot::api::capi

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::Cluster>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::LegacyCondition>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::Machine>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::MachineSet>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::MachineDeployment>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::KubeadmControlPlane>();
