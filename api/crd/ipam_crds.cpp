#include "api/crd/crd.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "api/ipam/names.hpp"

namespace ingot::api {

namespace {

// The values of the contract labels are historical (spec/ipam.md §1).
CrdMeta meta() {
  return {.labels = {{"cluster.x-k8s.io/provider", json::Value(ipam::kProviderLabelValue)},
                     {"cluster.x-k8s.io/v1alpha2", "v1alpha2"},
                     {"cluster.x-k8s.io/v1alpha3", "v1alpha3_v1alpha4"},
                     {"cluster.x-k8s.io/v1alpha4", "v1alpha5"},
                     {"cluster.x-k8s.io/v1beta1", "v1beta1"}}};
}

}  // namespace

std::vector<json::Object> ipamCrds() {
  return {crdOf({crdVersion<ipam::IPAddress>()}, meta()), crdOf({crdVersion<ipam::IPClaim>()}, meta()),
          crdOf({crdVersion<ipam::IPPool>()}, meta())};
}

}  // namespace ingot::api
