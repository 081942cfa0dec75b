#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

// A hard power-off is a matter of seconds: all of its time counts against the patience of the deletion.
Step switchingOff(Scope& s, const Working& work) {
  Step step = working(s, work);
  auto& stay = std::get<Stay>(step);
  if (stay.obstacle.empty()) stay.obstacle = "the power-off was asked for and has not come about";
  return step;
}

}  // namespace

base::Task<Step> poweringOffBeforeDelete(Scope& s) {
  if (s.host.spec.disablePowerOff) co_return Goto{State::deleting, Failures::forgotten};

  const bool failedBefore = failedWith(s.host, ErrorType::powerManagement);
  co_await s.cluster.confirm(s.host);
  const Progress ended = co_await s.backend.endWork(s.host.spec.automatedCleaningMode);
  if (const auto* work = std::get_if<Working>(&ended)) co_return working(s, *work);

  const Progress off = co_await s.power.turnOff(poweredHost(s.host), s.backend, {RebootMode::hard, failedBefore});
  // Each try is counted, so that the deletion ends.
  if (const auto* refused = std::get_if<Refused>(&off)) co_return Fail{ErrorType::powerManagement, refused->message};
  if (const auto* work = std::get_if<Working>(&off)) co_return switchingOff(s, *work);

  s.host.status.poweredOn = false;
  co_return Goto{State::deleting, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
