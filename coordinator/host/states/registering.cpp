#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

// The registration itself is done before any state's work (registration.cpp).
base::Task<Step> registering(Scope& s) {
  // Inspecting or cleaning would destroy what runs there.
  if (s.host.spec.externallyProvisioned) co_return Goto{State::externallyProvisioned, Failures::forgotten};
  const State next = s.host.inspectionDisabled() ? State::preparing : State::inspecting;
  co_return Goto{next, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
