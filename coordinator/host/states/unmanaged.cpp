#include "coordinator/host/apply.hpp"
#include "coordinator/host/retry.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

base::Task<Step> unmanaged(Scope& s) {
  if (s.host.hasBmcDetails()) co_return Goto{State::registering};
  if (stateOf(s.host) == State::unmanaged) co_return Stay{unmanagedPollDelay};

  s.host.status.operationalStatus = api::operational_status::discovered;
  s.journal.event("Discovered", "Discovered host with no BMC details");
  s.journal.count([](Metrics& m) { m.unmanaged(); });
  co_return Goto{State::unmanaged};
}

}  // namespace ingot::coordinator::host::states
