#include "coordinator/host/adoption.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/power.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

base::Task<Step> provisioned(Scope& s) {
  if (provisioningCancelled(s.host)) co_return Goto{State::deprovisioning};
  if (auto wait = co_await ensureAdopted(s)) co_return *wait;
  co_return co_await managePower(s, State::provisioned);
}

}  // namespace ingot::coordinator::host::states
