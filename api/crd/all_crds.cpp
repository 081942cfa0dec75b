// The kinds that the embedded API serves from the start. A new kind is added here, or to one of the lists beside.
#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "api/crd/crd.hpp"
#include "api/hardwaredata/hardware_data.hpp"

namespace ingot::api {

std::vector<json::Object> allCrds() {
  return {crdOf<BareMetalHost>(), crdOf<HardwareData>(), crdOf<ProvisioningAgent>()};
}

}  // namespace ingot::api
