#include "api/capi_ipam/conversion/convert.hpp"

#include "api/capi_ipam/ip_address.hpp"
#include "api/capi_ipam/kind_words.hpp"
#include "api/capi_ipam/v1beta1/ip_address.hpp"
#include "api/conversion/engine.hpp"

namespace ingot::api::capi_ipam {

namespace {

using namespace conversion;

constexpr Move kClaimStatus[] = {
    {"", "conditions", "deprecated.v1beta1.conditions"},
    {"", "v1beta2.conditions", "conditions"},
};

constexpr Part kClaimParts[] = {{"status", kClaimStatus}};

constexpr KindTable kIpamTables[] = {
    {"IPAddressClaim", asWrittenBy<v1beta1::IPAddressClaim>, asWrittenBy<IPAddressClaim>, kClaimParts},
    {"IPAddress", asWrittenBy<v1beta1::IPAddress>, asWrittenBy<IPAddress>, {}},
};

}  // namespace

json::Value convert(json::Value object, std::string_view version) {
  return conversion::convert({kGroup, kIpamTables}, std::move(object), version);
}

}  // namespace ingot::api::capi_ipam
