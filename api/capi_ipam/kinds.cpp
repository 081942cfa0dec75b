#include "api/capi_ipam/ip_address.hpp"

namespace ingot::api::capi_ipam {

namespace {

constexpr std::string_view kGroup = "ipam.cluster.x-k8s.io", kVersion = "v1beta2";

}  // namespace

const kube::KindInfo IPAddressClaim::info{.group = kGroup,
                                          .version = kVersion,
                                          .kind = "IPAddressClaim",
                                          .plural = "ipaddressclaims",
                                          .statusSubresource = true};

const kube::KindInfo IPAddress::info{
    .group = kGroup, .version = kVersion, .kind = "IPAddress", .plural = "ipaddresses"};

}  // namespace ingot::api::capi_ipam

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::IPAddress>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::IPAddressClaim>();
