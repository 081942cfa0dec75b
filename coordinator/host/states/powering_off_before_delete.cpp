#include "coordinator/host/absent_backend.hpp"
#include "coordinator/host/deletion.hpp"
#include "coordinator/host/leaving.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

constexpr base::Duration afterRefusal = std::chrono::seconds(15);
constexpr std::string_view notYetOff = "the power-off was asked for and has not come about";

// A hard power-off is a matter of seconds: all of its time counts against the patience of the deletion.
Step switchingOff(Scope& s, const Working& work) {
  Step step = working(s, work);
  auto& stay = std::get<Stay>(step);
  if (stay.obstacle.empty()) stay.obstacle = notYetOff;
  return step;
}

// nullopt: the backend has no node of the host's, and is not at work on it. Throws where the node is another host's.
base::Task<std::optional<Progress>> endWork(Scope& s) {
  try {
    co_return co_await s.backend.endWork(s.host.spec.automatedCleaningMode);
  } catch (const ProvisionerError& error) {
    if (error.code() != ProvisionerError::Code::needsRegistration) throw;
  }
  co_return std::nullopt;
}

// Without a node nothing tells whose the machine is when two hosts name it: it may be the other's, and in use. "": it
// is this host's.
std::string whyAnothers(const Scope& s, const std::optional<Progress>& ended) {
  return ended ? "" : s.whyMachineIsShared();
}

Step isOff(Scope& s) {
  s.host.status.poweredOn = false;
  return Goto{State::deleting, Failures::forgotten};
}

}  // namespace

base::Task<std::optional<Step>> switchOffUnregistered(Scope& s) {
  if (s.host.spec.disablePowerOff) co_return std::nullopt;
  co_await s.cluster.confirm(s.host);
  AbsentBackend absent(ProvisionerError(ProvisionerError::Code::needsRegistration, s.host.status.errorMessage));
  try {
    const auto ended = co_await endWork(s);
    if (const auto* work = ended ? std::get_if<Working>(&*ended) : nullptr)
      co_return Stay{work->after, work->obstacle.empty() ? std::string(notYetOff) : work->obstacle};
    if (const std::string why = whyAnothers(s, ended); !why.empty()) {
      s.log.warn("not switched off: " + why);
      co_return std::nullopt;
    }
    const Progress off = co_await s.power.turnOff(poweredHost(s.host), absent, {RebootMode::hard, true});
    if (const auto* work = std::get_if<Working>(&off)) co_return Stay{work->after, std::string(notYetOff)};
    if (std::holds_alternative<Done>(off)) co_return isOff(s);
    // It may still be under way, or go well the next time: the patience of the deletion ends it.
    const auto& refused = std::get<Refused>(off);
    co_return Stay{refused.retryAfter.value_or(afterRefusal), refused.message};
  } catch (const ProvisionerError& error) {
    if (!isWithoutNode(error)) throw;
  }
  co_return std::nullopt;
}

base::Task<Step> poweringOffBeforeDelete(Scope& s) {
  if (s.host.spec.disablePowerOff) co_return Goto{State::deleting, Failures::forgotten};

  const bool failedBefore = failedWith(s.host, ErrorType::powerManagement);
  co_await s.cluster.confirm(s.host);
  const auto ended = co_await endWork(s);
  if (const auto* work = ended ? std::get_if<Working>(&*ended) : nullptr) co_return working(s, *work);
  if (const std::string why = whyAnothers(s, ended); !why.empty()) {
    tellGivenUp(s, State::poweringOffBeforeDelete, State::deleting, why);
    co_return Goto{State::deleting, Failures::forgotten};
  }

  const Progress off = co_await s.power.turnOff(poweredHost(s.host), s.backend, {RebootMode::hard, failedBefore});
  // Each try is counted, so that the deletion ends.
  if (const auto* refused = std::get_if<Refused>(&off)) co_return Fail{ErrorType::powerManagement, refused->message};
  if (const auto* work = std::get_if<Working>(&off)) co_return switchingOff(s, *work);

  co_return isOff(s);
}

}  // namespace ingot::coordinator::host::states
