// Cluster and Machine (cluster.x-k8s.io), IPAddressClaim and IPAddress (ipam.cluster.x-k8s.io) in both versions, for an
// API without Cluster API.
#include "api/capi/admission.hpp"
#include "api/capi/conversion/convert.hpp"
#include "api/capi/v1beta1/cluster.hpp"
#include "api/capi/v1beta1/machine.hpp"
#include "api/capi_ipam/admission.hpp"
#include "api/capi_ipam/conversion/convert.hpp"
#include "api/capi_ipam/v1beta1/ip_address.hpp"
#include "api/kinds/row.hpp"

namespace ingot::api {

namespace {

template <class Old, class New>
json::Object coreCrd() {
  return crdOfBoth<Old, New>({.labels = {{"cluster.x-k8s.io/provider", "cluster-api"}},
                              .conversion = byWebhook("capi-webhook-service", "capi-system")});
}

template <class Old, class New>
KindRow coreRow(json::Value (*convert)(json::Value object, std::string_view version)) {
  auto row = rowOf<New>(KindSet::clusterApiCore, coreCrd<Old, New>);
  row.convert = convert;
  return row;
}

}  // namespace

std::vector<KindRow> clusterApiCoreKinds() {
  return {coreRow<capi::v1beta1::Cluster, capi::v1beta2::Cluster>(capi::convert),
          coreRow<capi::v1beta1::Machine, capi::v1beta2::Machine>(capi::convert),
          coreRow<capi_ipam::v1beta1::IPAddressClaim, capi_ipam::IPAddressClaim>(capi_ipam::convert),
          coreRow<capi_ipam::v1beta1::IPAddress, capi_ipam::IPAddress>(capi_ipam::convert)};
}

}  // namespace ingot::api
