// How the API knows the kinds of ipam.metal3.io (spec/ipam.md §1).
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "api/ipam/names.hpp"
#include "api/kind_words.hpp"

namespace ingot::api::ipam {

namespace {

constexpr GroupVersion kHere{kGroup, "v1alpha1"};
constexpr kube::Column kPoolColumns[] = {column::cluster, column::age};

constexpr std::string_view kMetal3[] = {"metal3"};
constexpr std::string_view kPoolNames[] = {"ipp",       "ippool",    "m3ipp",        "m3ippool",
                                           "m3ippools", "metal3ipp", "metal3ippool", "metal3ippools"};
constexpr std::string_view kClaimNames[] = {"ipc",        "ipclaim",   "m3ipc",         "m3ipclaim",
                                            "m3ipclaims", "metal3ipc", "metal3ipclaim", "metal3ipclaims"};
constexpr std::string_view kAddressNames[] = {"ipa",           "ipaddress", "m3ipa",           "m3ipaddress",
                                              "m3ipaddresses", "metal3ipa", "metal3ipaddress", "metal3ipaddresses"};

}  // namespace

constinit const kube::KindInfo IPPool::info = infoOf(kHere, {.kind = "IPPool",
                                                             .plural = "ippools",
                                                             .doc = "Addresses to give out to claims.",
                                                             .shortNames = kPoolNames,
                                                             .categories = kClusterApiCategory,
                                                             .columns = kPoolColumns});

constinit const kube::KindInfo IPClaim::info = infoOf(kHere, {.kind = "IPClaim",
                                                              .plural = "ipclaims",
                                                              .doc = "Asks an IPPool for an address.",
                                                              .shortNames = kClaimNames,
                                                              .categories = kClusterApiCategory,
                                                              .columns = kAgeOnly});

constinit const kube::KindInfo IPAddress::info = infoOf(kHere, {.kind = "IPAddress",
                                                                .plural = "ipaddresses",
                                                                .doc = "An address that a pool gave to a claim.",
                                                                .status = false,
                                                                .shortNames = kAddressNames,
                                                                .categories = kMetal3,
                                                                .columns = kAgeOnly});

}  // namespace ingot::api::ipam

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::ipam::IPAddress>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::ipam::IPClaim>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::ipam::IPPool>();
