#include "bmc/power_change.hpp"

#include "bmc/model/transition.hpp"

namespace ingot::bmc {

namespace {

constexpr std::array<std::chrono::seconds, 4> pollPauses{std::chrono::seconds(1), std::chrono::seconds(2),
                                                         std::chrono::seconds(3), std::chrono::seconds(5)};
constexpr base::Duration goneOrBackPause = std::chrono::seconds(2);
// A host that restarts may still read On for this long, so a reading in that time does not prove the restart.
constexpr base::Duration restartSettling = std::chrono::seconds(15);

struct Scope {
  base::Clock& clock;
  PowerControl& host;
  Lane lane;

  [[nodiscard]] base::Task<PowerReading> read() { return host.readPower(lane); }
  [[nodiscard]] base::Task<void> request(PowerAction action) { return host.requestPower(lane, action, {}); }
};

bool mayPass(Error::Code code) {
  return code == Error::Code::unreachable || code == Error::Code::timeout || code == Error::Code::busy ||
         code == Error::Code::protocol;
}

// BMCs may not answer while a host changes power, so a failed read before the limit does not count. `answer`: the BMC's
// answer to the request.
base::Task<PowerReading> waitFor(Scope& scope, Power wanted, base::Duration limit, std::string answer) {
  const auto deadline = scope.clock.now() + limit;
  std::string last = "nothing was read";
  for (std::size_t i = 0;; ++i) {
    co_await scope.clock.sleepFor(pollPauses[std::min(i, pollPauses.size() - 1)]);
    try {
      auto reading = co_await scope.read();
      if (reading.power == wanted && !isTransitional(reading)) co_return reading;
      last = reading.raw.empty() ? std::string(toText(reading.power)) : reading.raw;
    } catch (const Error& error) {
      if (!mayPass(error.code())) throw;
      last = error.what();
    }
    if (scope.clock.now() >= deadline)
      throw Error(Error::Code::notReached,
                  fmt::format("{}, but the host is not {} after {} s (last: {})", answer, toText(wanted),
                              std::chrono::duration_cast<std::chrono::seconds>(limit).count(), last));
  }
}

struct Answer {
  std::string text;  // for messages
  bool isKnown = true;
};

// Sends the request once. When nobody knows what the BMC made of it, the next readings tell what happened, and the
// request is not sent again.
base::Task<Answer> requestOnce(Scope& scope, PowerAction action) {
  try {
    co_await scope.request(action);
  } catch (const Error& error) {
    if (error.code() != Error::Code::outcomeUnknown) throw;
    co_return Answer{fmt::format("nobody knows what the BMC made of the command ({})", error.what()), false};
  }
  co_return Answer{"the BMC accepted the command"};
}

// The request has been sent: when its result can no longer be read, nobody knows whether it was carried out.
base::Task<PowerReading> watch(Scope& scope, Power wanted, base::Duration limit, std::string answer) {
  try {
    co_return co_await waitFor(scope, wanted, limit, std::move(answer));
  } catch (const Error& error) {
    if (error.code() == Error::Code::notReached) throw;
    throw Error(Error::Code::outcomeUnknown, error.what());
  }
}

// Before anything is asked for. That a BMC does not have the reading at the moment says nothing of what it can do.
base::Task<PowerReading> readBefore(Scope& scope) {
  try {
    co_return co_await scope.read();
  } catch (const Error& error) {
    if (error.code() != Error::Code::unsupported) throw;
    throw Error(Error::Code::protocol, error.what());
  }
}

base::Task<PowerChange> reach(Scope& scope, PowerAction action, base::Duration limit) {
  const Power wanted = targetOf(action);
  auto before = co_await readBefore(scope);
  const bool send = before.power != wanted;
  if (!send && !isTransitional(before)) co_return PowerChange{std::move(before), false};
  std::string answer = "the host was on its way";
  if (send) answer = (co_await requestOnce(scope, action)).text;
  auto after = co_await watch(scope, wanted, limit, std::move(answer));
  co_return PowerChange{std::move(after), send};
}

// Restarts the host without reading Off in between. A power-off and a power-on are no substitute, because a restart is
// asked for where a host must not be off.
base::Task<PowerChange> restart(Scope& scope, PowerAction action, PowerChangeLimits limits) {
  const auto before = co_await readBefore(scope);
  if (before.power == Power::off) co_return co_await reach(scope, PowerAction::on, limits.hard);
  auto answer = co_await requestOnce(scope, action);
  co_await scope.clock.sleepFor(restartSettling);
  const auto limit = action == PowerAction::softReboot ? limits.soft : limits.hard;
  try {
    auto after = co_await watch(scope, Power::on, limit, answer.text);
    if (answer.isKnown) co_return PowerChange{std::move(after), true};
  } catch (const Error& error) {  // that it is not seen on proves no failure, and a second restart would do harm
    throw Error(Error::Code::outcomeUnknown, error.what());
  }
  throw Error(Error::Code::outcomeUnknown, answer.text + ", and that the host is on proves no restart");
}

base::Task<PowerChange> interrupt(Scope& scope) {
  auto before = co_await readBefore(scope);
  if (before.power != Power::on)
    throw Error(Error::Code::refused, fmt::format("an NMI goes to a host that is on; its power reads {}",
                                                  before.raw.empty() ? toText(before.power) : before.raw));
  co_await scope.request(PowerAction::nmi);
  co_return PowerChange{std::move(before), true};
}

bool isGone(Error::Code code) { return code == Error::Code::unreachable || code == Error::Code::timeout; }

// One reading that fails may only be late. False: the BMC went on answering.
base::Task<bool> isSeenToGo(Scope& scope, base::Duration limit) {
  const auto deadline = scope.clock.now() + limit;
  int silences = 0;
  while (scope.clock.now() < deadline) {
    co_await scope.clock.sleepFor(goneOrBackPause);
    try {
      static_cast<void>(co_await scope.read());
      silences = 0;
    } catch (const Error& error) {
      if (!mayPass(error.code())) throw Error(Error::Code::outcomeUnknown, error.what());
      silences = isGone(error.code()) ? silences + 1 : 0;
      if (silences == 2) co_return true;
    }
  }
  co_return false;
}

base::Task<PowerReading> readOnceBack(Scope& scope, base::Duration limit) {
  const auto deadline = scope.clock.now() + limit;
  while (true) {
    std::string last;
    try {
      co_return co_await scope.read();
    } catch (const Error& error) {
      if (!mayPass(error.code())) throw Error(Error::Code::outcomeUnknown, error.what());
      last = error.what();
    }
    if (scope.clock.now() >= deadline)
      throw Error(Error::Code::outcomeUnknown,
                  fmt::format("the BMC went as it should, and has not come back for {} s (last: {})",
                              std::chrono::duration_cast<std::chrono::seconds>(limit).count(), last));
    co_await scope.clock.sleepFor(goneOrBackPause);
  }
}

base::Task<PowerChange> cycleInputPower(Scope& scope, PowerChangeLimits limits) {
  co_await scope.host.checkOffers(scope.lane, PowerAction::acCycle);  // or the host would be off for nothing
  co_await reach(scope, PowerAction::hardOff, limits.hard);
  const auto answer = co_await requestOnce(scope, PowerAction::acCycle);
  if (!co_await isSeenToGo(scope, limits.untilGone))
    throw Error(Error::Code::outcomeUnknown,
                fmt::format("{}, but it went on answering: no loss of input power was seen", answer.text));
  co_return PowerChange{co_await readOnceBack(scope, limits.untilBack), true};
}

}  // namespace

bool isTransitional(const PowerReading& reading) { return isTransitional(std::string_view(reading.raw)); }

base::Task<PowerChange> changePower(base::Clock& clock, PowerControl& host, Lane lane, PowerAction action,
                                    PowerChangeLimits limits) {
  Scope scope{clock, host, lane};
  switch (action) {
    case PowerAction::on:
    case PowerAction::hardOff: co_return co_await reach(scope, action, limits.hard);
    case PowerAction::softOff: co_return co_await reach(scope, action, limits.soft);
    case PowerAction::softReboot:
    case PowerAction::hardRestart: co_return co_await restart(scope, action, limits);
    case PowerAction::hardReboot:
      co_await reach(scope, PowerAction::hardOff, limits.hard);
      co_return co_await reach(scope, PowerAction::on, limits.hard);
    case PowerAction::nmi: co_return co_await interrupt(scope);
    case PowerAction::acCycle: co_return co_await cycleInputPower(scope, limits);
  }
  throw Error(Error::Code::unsupported, "unknown power action");
}

}  // namespace ingot::bmc
