#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

// The registration itself is done before any state's work (registration.cpp).
base::Task<Step> registering(Scope& s) {
  if (s.host.spec.externallyProvisioned) {
    // Inspecting or cleaning would destroy what runs there.
    co_return Fail{ErrorType::registration, "externally provisioned hosts are not supported by this version"};
  }
  const State next = s.host.inspectionDisabled() ? State::preparing : State::inspecting;
  co_return Goto{next, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
