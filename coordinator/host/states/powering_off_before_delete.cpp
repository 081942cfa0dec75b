#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {

base::Task<Step> poweringOffBeforeDelete(Scope& s) {
  if (s.host.spec.disablePowerOff) co_return Goto{State::deleting, Failures::forgotten};

  const bool failedBefore = failedWith(s.host, ErrorType::powerManagement);
  co_await s.cluster.confirm(s.host);
  if (const Result work = co_await s.backend.endWork(s.host.spec.automatedCleaningMode); work.dirty) {
    co_return working(s, work);
  }
  const Result result = co_await s.power.turnOff(poweredHost(s.host), s.backend, RebootMode::hard, failedBefore);
  if (!result.errorMessage.empty()) co_return Fail{ErrorType::powerManagement, result.errorMessage};
  if (result.dirty) co_return working(s, result);

  s.host.status.poweredOn = false;
  co_return Goto{State::deleting, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
