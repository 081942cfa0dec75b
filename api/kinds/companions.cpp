#include "api/kinds/row.hpp"
#include "api/metal3/admission.hpp"

namespace ingot::api {
namespace {

template <kube::Kind... T>
std::vector<KindRow> rows() {
  return {rowOf<T>(KindSet::companions)...};
}

}  // namespace

std::vector<KindRow> companionKinds() {
  return rows<BMCEventSubscription, BareMetalSwitch, DataImage, FirmwareSchema, HostClaim, HostDeployPolicy,
              HostFirmwareComponents, HostFirmwareSettings, HostNetworkAttachment, HostUpdatePolicy,
              PreprovisioningImage>();
}

}  // namespace ingot::api
