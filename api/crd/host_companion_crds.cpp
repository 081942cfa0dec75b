#include "api/crd/crd.hpp"
#include "api/metal3/firmware.hpp"
#include "api/metal3/host_claim.hpp"
#include "api/metal3/host_companions.hpp"
#include "api/metal3/network.hpp"

namespace ingot::api {

std::vector<json::Object> hostCompanionCrds() {
  return {crdOf<BMCEventSubscription>(),
          crdOf<BareMetalSwitch>(),
          crdOf<DataImage>(),
          crdOf<FirmwareSchema>(),
          crdOf<HostClaim>(),
          crdOf<HostDeployPolicy>(),
          crdOf<HostFirmwareComponents>(),
          crdOf<HostFirmwareSettings>(),
          crdOf<HostNetworkAttachment>(),
          crdOf<HostUpdatePolicy>(),
          crdOf<PreprovisioningImage>()};
}

}  // namespace ingot::api
