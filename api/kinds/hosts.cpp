#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/admission.hpp"
#include "api/hardwaredata/hardware_data.hpp"
#include "api/kinds/row.hpp"

namespace ingot::api {

std::vector<KindRow> hostKinds() {
  return {rowOf<BareMetalHost>(KindSet::hosts), rowOf<HardwareData>(KindSet::hosts),
          rowOf<ProvisioningAgent>(KindSet::hosts)};
}

}  // namespace ingot::api
