// The list of our kinds. A new kind is added here and appears in crds/ and in the embedded API.
#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "api/crd/crd.hpp"
#include "api/hardwaredata/hardware_data.hpp"

namespace ingot::api {

std::vector<json::Object> allCrds() {
  return {crdOf<BareMetalHost>(), crdOf<HardwareData>(), crdOf<ProvisioningAgent>()};
}

}  // namespace ingot::api
