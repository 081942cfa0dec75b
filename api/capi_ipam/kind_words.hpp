// Names and printer columns that both versions of IPAddressClaim and IPAddress have.
#pragma once

#include "api/kind_words.hpp"

namespace ingot::api::capi_ipam {

inline constexpr std::string_view kGroup = "ipam.cluster.x-k8s.io";

namespace column {

inline constexpr kube::Column address{
    .name = "Address", .type = "string", .jsonPath = ".spec.address", .description = "The address"};
inline constexpr kube::Column poolName{
    .name = "Pool Name", .type = "string", .jsonPath = ".spec.poolRef.name", .description = "Name of its pool"};
inline constexpr kube::Column poolKind{
    .name = "Pool Kind", .type = "string", .jsonPath = ".spec.poolRef.kind", .description = "Kind of its pool"};

}  // namespace column

inline constexpr kube::Column kClaimColumns[] = {column::poolName, column::poolKind, api::column::age};
inline constexpr kube::Column kAddressColumns[] = {column::address, column::poolName, column::poolKind,
                                                   api::column::age};

inline constexpr KindWords kClaim{.kind = "IPAddressClaim",
                                  .plural = "ipaddressclaims",
                                  .doc = "A wish for an address of a pool.",
                                  .categories = kClusterApiCategory,
                                  .columns = kClaimColumns};
inline constexpr KindWords kAddress{.kind = "IPAddress",
                                    .plural = "ipaddresses",
                                    .doc = "An address that a pool has given to a claim.",
                                    .status = false,
                                    .categories = kClusterApiCategory,
                                    .columns = kAddressColumns};

}  // namespace ingot::api::capi_ipam
