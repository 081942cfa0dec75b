// How the API knows IPAddressClaim and IPAddress of v1beta2, which is stored.
#include "api/capi_ipam/ip_address.hpp"
#include "api/capi_ipam/kind_words.hpp"

namespace ingot::api::capi_ipam {

namespace {

constexpr GroupVersion kStored{kGroup, "v1beta2"};

}  // namespace

constinit const kube::KindInfo IPAddressClaim::info = infoOf(kStored, kClaim);
constinit const kube::KindInfo IPAddress::info = infoOf(kStored, kAddress);

}  // namespace ingot::api::capi_ipam

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::IPAddress>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::IPAddressClaim>();
