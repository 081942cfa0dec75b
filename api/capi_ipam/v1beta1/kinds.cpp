// How the API knows IPAddressClaim and IPAddress of v1beta1.
#include "api/capi_ipam/kind_words.hpp"
#include "api/capi_ipam/v1beta1/ip_address.hpp"

namespace ingot::api::capi_ipam::v1beta1 {

namespace {

constexpr GroupVersion kOld{kGroup, "v1beta1"};

}  // namespace

constinit const kube::KindInfo IPAddressClaim::info = infoOf(kOld, kClaim);
constinit const kube::KindInfo IPAddress::info = infoOf(kOld, kAddress);

}  // namespace ingot::api::capi_ipam::v1beta1

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::v1beta1::IPAddress>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi_ipam::v1beta1::IPAddressClaim>();
