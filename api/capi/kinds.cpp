#include "api/capi/cluster.hpp"
#include "api/capi/owners.hpp"

namespace ingot::api::capi {

namespace {

constexpr std::string_view kGroup = "cluster.x-k8s.io", kVersion = "v1beta2";

}  // namespace

const kube::KindInfo Cluster::info{
    .group = kGroup, .version = kVersion, .kind = "Cluster", .plural = "clusters", .statusSubresource = true};

const kube::KindInfo Machine::info{
    .group = kGroup, .version = kVersion, .kind = "Machine", .plural = "machines", .statusSubresource = true};

const kube::KindInfo MachineSet::info{
    .group = kGroup, .version = kVersion, .kind = "MachineSet", .plural = "machinesets", .statusSubresource = true};

const kube::KindInfo MachineDeployment::info{.group = kGroup,
                                             .version = kVersion,
                                             .kind = "MachineDeployment",
                                             .plural = "machinedeployments",
                                             .statusSubresource = true};

const kube::KindInfo KubeadmControlPlane::info{.group = "controlplane.cluster.x-k8s.io",
                                               .version = kVersion,
                                               .kind = "KubeadmControlPlane",
                                               .plural = "kubeadmcontrolplanes",
                                               .statusSubresource = true};

}  // namespace ingot::api::capi
