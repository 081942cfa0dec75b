// How the API knows the kinds of ipam.metal3.io (spec/ipam.md §1).
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "api/ipam/names.hpp"

namespace ingot::api::ipam {

namespace {

constexpr kube::Column kAge{
    .name = "Age", .type = "date", .jsonPath = ".metadata.creationTimestamp", .description = "Time since creation"};
constexpr kube::Column kCluster{.name = "Cluster",
                                .type = "string",
                                .jsonPath = R"(.metadata.labels.cluster\.x-k8s\.io/cluster-name)",
                                .description = "Cluster that it belongs to"};
constexpr kube::Column kAgeOnly[] = {kAge};
constexpr kube::Column kPoolColumns[] = {kCluster, kAge};

constexpr std::string_view kClusterApi[] = {"cluster-api"}, kMetal3[] = {"metal3"};
constexpr std::string_view kPoolNames[] = {"ipp",       "ippool",    "m3ipp",        "m3ippool",
                                           "m3ippools", "metal3ipp", "metal3ippool", "metal3ippools"};
constexpr std::string_view kClaimNames[] = {"ipc",        "ipclaim",   "m3ipc",         "m3ipclaim",
                                            "m3ipclaims", "metal3ipc", "metal3ipclaim", "metal3ipclaims"};
constexpr std::string_view kAddressNames[] = {"ipa",           "ipaddress", "m3ipa",           "m3ipaddress",
                                              "m3ipaddresses", "metal3ipa", "metal3ipaddress", "metal3ipaddresses"};

}  // namespace

const kube::KindInfo IPPool::info{
    .group = kGroup,
    .version = "v1alpha1",
    .kind = "IPPool",
    .plural = "ippools",
    .statusSubresource = true,
    .shortNames = kPoolNames,
    .categories = kClusterApi,
    .columns = kPoolColumns,
    .doc = "Addresses to give out to claims.",
};

const kube::KindInfo IPClaim::info{
    .group = kGroup,
    .version = "v1alpha1",
    .kind = "IPClaim",
    .plural = "ipclaims",
    .statusSubresource = true,
    .shortNames = kClaimNames,
    .categories = kClusterApi,
    .columns = kAgeOnly,
    .doc = "Asks an IPPool for an address.",
};

const kube::KindInfo IPAddress::info{
    .group = kGroup,
    .version = "v1alpha1",
    .kind = "IPAddress",
    .plural = "ipaddresses",
    .shortNames = kAddressNames,
    .categories = kMetal3,
    .columns = kAgeOnly,
    .doc = "An address that a pool gave to a claim.",
};

}  // namespace ingot::api::ipam
