// Cluster and Machine (cluster.x-k8s.io) in both versions, for an API without Cluster API.
#include "api/capi/admission.hpp"
#include "api/capi/conversion/convert.hpp"
#include "api/capi/v1beta1/cluster.hpp"
#include "api/capi/v1beta1/machine.hpp"
#include "api/kinds/row.hpp"

namespace ingot::api {

namespace {

template <class Old, class New>
json::Object coreCrd() {
  return crdOfBoth<Old, New>({.labels = {{"cluster.x-k8s.io/provider", "cluster-api"}},
                              .conversion = byWebhook("capi-webhook-service", "capi-system")});
}

template <class Old, class New>
KindRow coreRow() {
  auto row = rowOf<New>(KindSet::clusterApiCore, coreCrd<Old, New>);
  row.convert = capi::convert;
  return row;
}

}  // namespace

std::vector<KindRow> clusterApiCoreKinds() {
  return {coreRow<capi::v1beta1::Cluster, capi::v1beta2::Cluster>(),
          coreRow<capi::v1beta1::Machine, capi::v1beta2::Machine>()};
}

}  // namespace ingot::api
