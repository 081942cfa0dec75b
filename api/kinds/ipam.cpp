#include "api/ipam/admission.hpp"
#include "api/ipam/names.hpp"
#include "api/kinds/row.hpp"

namespace ingot::api {

namespace {

// The values of the contract labels are historical (spec/ipam.md §1).
CrdMeta ipamMeta() {
  return {.labels = {{"cluster.x-k8s.io/provider", json::Value(ipam::kProviderLabelValue)},
                     {"cluster.x-k8s.io/v1alpha2", "v1alpha2"},
                     {"cluster.x-k8s.io/v1alpha3", "v1alpha3_v1alpha4"},
                     {"cluster.x-k8s.io/v1alpha4", "v1alpha5"},
                     {"cluster.x-k8s.io/v1beta1", "v1beta1"}}};
}

template <kube::Kind T>
json::Object labelled() {
  return crdOf({crdVersion<T>()}, ipamMeta());
}

template <kube::Kind T>
KindRow ipamRow() {
  return rowOf<T>(KindSet::ipam, labelled<T>);
}

}  // namespace

std::vector<KindRow> ipamKinds() {
  return {ipamRow<ipam::IPAddress>(), ipamRow<ipam::IPClaim>(), ipamRow<ipam::IPPool>()};
}

}  // namespace ingot::api
