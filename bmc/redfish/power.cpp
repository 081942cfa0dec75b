#include "bmc/redfish/power.hpp"

#include "base/sync.hpp"
#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/reset.hpp"
#include "bmc/redfish/walker.hpp"

#include <fmt/ranges.h>

namespace ingot::bmc::redfish {

namespace {

// iDRAC10 answers On with 409 for up to a minute after a power-off (spec/bmc.md §6.4), others are busy for a while.
constexpr int retryLaterTries = 6;
constexpr base::Duration retryLaterPause = std::chrono::seconds(10);
constexpr base::Duration taskLookedAtFor = std::chrono::seconds(6), taskWithin = std::chrono::seconds(10);

std::string bootProgressOf(const System& system) {
  if (!system.bootProgress || powerOf(system.powerState) != Power::on) return {};
  const auto state = textOf(system.bootProgress->lastState);
  if (state == "OEM") return textOf(system.bootProgress->oemLastState);
  return state == "None" ? "" : state;
}

}  // namespace

Health healthOf(const std::optional<Status>& status) {
  if (!status) return Health::unknown;
  const auto& word = status->healthRollup ? status->healthRollup : status->health;
  return word ? parseHealth(*word).value_or(Health::unknown) : Health::unknown;
}

base::Task<PowerReading> HostPower::readPower(Lane lane) {
  const auto read = co_await host_->system(lane);
  const auto& system = read.resource;
  co_return PowerReading{.power = powerOf(system.powerState),
                         .raw = system.powerState.value_or(""),
                         .bootProgress = bootProgressOf(system),
                         .health = healthOf(system.status),
                         .asked = read.asked};
}

base::Task<void> HostPower::checkOffers(Lane lane, PowerAction action) {
  static_cast<void>(co_await resetWays(lane, co_await systemToSwitch(lane), action));
}

base::Task<std::vector<HostPower::ResetWay>> HostPower::resetWays(Lane lane, System system, PowerAction action) {
  if (!system.actions || !system.actions->reset || !system.actions->reset->target)
    throw Error(Error::Code::unsupported, host_->url() + " has no reset action");
  const auto reset = *system.actions->reset;
  const auto allowed = co_await allowedResets(lane, reset);
  std::vector<ResetWay> ways;
  const auto now = isOnItsWay(system) ? Power::unknown : powerOf(system.powerState);  // then no button is pressed
  for (auto& type : resetTypes(action, now, allowed)) ways.push_back({*reset.target, type});
  // A system that hangs heeds no GracefulRestart, so that is no other way to do what ForceRestart does.
  if (std::ranges::find(ways, "ForceRestart", &ResetWay::type) != ways.end() &&
      (co_await host_->quirks(lane)).has(Quirk::forceRestartHangs))
    std::erase_if(ways, [](const ResetWay& way) { return way.type != "PowerCycle"; });
  if (action == PowerAction::acCycle)
    if (const auto own = vendorAcCycle((co_await host_->kind(lane, std::move(system))).product.vendor))
      ways.push_back({std::string(withoutSlash(co_await host_->path(lane))) + std::string(own->path),
                      std::string(own->resetType)});
  if (ways.empty())
    throw Error(Error::Code::unsupported, fmt::format("{} knows no way to do {}; it allows {}", host_->url(),
                                                      toText(action), fmt::join(allowed, ", ")));
  co_return ways;
}

base::Task<void> HostPower::requestPower(Lane lane, PowerAction action, WritePermit permit) {
  auto system = co_await systemToSwitch(lane);
  if (co_await hasRested(lane, action)) system = co_await systemToSwitch(lane);
  const auto ways = co_await resetWays(lane, std::move(system), action);
  permit = host_->use()->untilEnd(std::move(permit));
  for (const auto& way : ways) {
    if (!co_await tryReset(lane, way, action, permit)) continue;
    host_->noteRequested();
    co_return;
  }
  throw Error(Error::Code::unsupported,
              fmt::format("{} took none of what it might know for {}", host_->url(), toText(action)));
}

// A machine that cannot bear to be switched on at once has its rest before. True: time has passed.
base::Task<bool> HostPower::hasRested(Lane lane, PowerAction action) {
  const auto until = host_->restUntil();
  if (action != PowerAction::on || host_->clock().now() >= until) co_return false;
  if (!(co_await host_->quirks(lane)).has(Quirk::restsAfterOff)) co_return false;
  co_await host_->clock().sleepUntil(until);
  co_return true;
}

// That the system is not there says nothing of what it can do.
base::Task<System> HostPower::systemToSwitch(Lane lane) {
  try {
    co_return (co_await host_->system(lane)).resource;
  } catch (const Error& error) {
    if (error.code() != Error::Code::unsupported) throw;
    throw Error(Error::Code::protocol, error.what());
  }
}

base::Task<std::vector<std::string>> HostPower::allowedResets(Lane lane, ResetAction action) {
  if (action.allowableValues) co_return *action.allowableValues;
  if (!action.actionInfo) co_return std::vector<std::string>{};
  try {
    const auto info = co_await host_->connection().get<ActionInfo>(lane, *action.actionInfo);
    for (const auto& parameter : info.parameters)
      if (parameter.name == "ResetType") co_return parameter.allowableValues;
  } catch (const Error& error) {
    if (!concernsOneResource(error)) throw;  // what it allows is not known, so anything may be tried
  }
  co_return std::vector<std::string>{};
}

base::Task<bool> HostPower::tryReset(Lane lane, ResetWay way, PowerAction action, WritePermit permit) {
  const auto wanted = provedBy(action);
  std::optional<Declined> declined;
  for (int attempt = 0;; ++attempt) {
    host_->use()->check();  // a pause ago
    bool isGone = false;
    try {
      declined = co_await ask(lane, way, action, permit);
    } catch (const Error& error) {  // it was asked before, and what it said stands
      if (error.code() != Error::Code::unreachable || !declined) throw;
      isGone = true;
    }
    if (isGone) break;
    if (!declined) co_return true;
    const auto& [status, body] = declined->refusal;
    const auto meaning = judge(status, body, wanted);
    if (meaning == RefusalMeaning::unsupported) co_return false;
    if (meaning == RefusalMeaning::alreadyThere || co_await isInWantedState(lane, status, wanted)) co_return true;
    if (meaning != RefusalMeaning::retryLater || attempt == retryLaterTries) break;
    co_await host_->clock().sleepFor(retryLaterPause);
  }
  throw co_await failure(lane, std::move(way), std::move(*declined));
}

// nullopt: it is done, or the power tells.
base::Task<std::optional<HostPower::Declined>> HostPower::ask(Lane lane, ResetWay way, PowerAction action,
                                                              WritePermit permit) {
  auto written = co_await host_->connection().post(lane, way.target, fmt::format(R"({{"ResetType":"{}"}})", way.type),
                                                   std::move(permit));
  if (written.refused) co_return Declined{std::move(*written.refused), std::nullopt};
  // What takes the input power away takes the BMC with it, and is seen by that.
  if (written.task.empty() || action == PowerAction::acCycle) co_return std::nullopt;
  auto failed = co_await failureOf(lane, std::move(written.task));
  if (!failed) co_return std::nullopt;
  co_return Declined{refusalOf(*failed), std::move(failed)};
}

// Of a task that ends badly at once: that is how some BMCs refuse. Whatever else becomes of it, the power tells.
base::Task<std::optional<TaskView>> HostPower::failureOf(Lane lane, std::string task) {
  try {
    auto end = co_await base::withTimeout(
        host_->clock(), taskWithin, "the task of a reset goes on",
        followTask(host_->clock(), host_->connection(), lane, std::move(task), taskLookedAtFor));
    if (end.state == TaskState::failed) co_return std::move(end);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    host_->log().debug("the task of a reset was not followed",
                       {{"bmc", host_->baseUrl()}, {"error", host_->connection().redacted(error.what())}});
  }
  co_return std::nullopt;
}

base::Task<Error> HostPower::failure(Lane lane, ResetWay way, Declined declined) {
  const auto& [status, body] = declined.refusal;
  const bool mayHave = declined.task ? mayHaveActedInTask(body, way.type) : mayHaveActed(status, way.type);
  const auto code = mayHave ? Error::Code::outcomeUnknown : status >= 500 ? Error::Code::busy : Error::Code::refused;
  auto& connection = host_->connection();
  const auto how = declined.task ? std::string("in its task") : fmt::format("HTTP {}", status);
  const auto words = declined.task ? (co_await inWords(connection, lane, std::move(*declined.task))).text
                                   : co_await connection.messages().textOf(lane, body);
  co_return Error(code, fmt::format("{}{} refused {}: {}: {}", host_->baseUrl(), way.target, way.type, how, words));
}

// True when the BMC refused a change to a state that the host has reached meanwhile (spec/bmc.md §6.4).
base::Task<bool> HostPower::isInWantedState(Lane lane, int status, Power wanted) {
  if (wanted == Power::unknown || (status != 400 && status != 409)) co_return false;
  try {
    co_return powerOf((co_await host_->system(lane)).resource.powerState) == wanted;
  } catch (const Error& error) {  // it settles, and refuses readings, too
    host_->log().debug("the power was not read after a refusal",
                       {{"bmc", host_->baseUrl()}, {"error", host_->connection().redacted(error.what())}});
    co_return false;
  }
}

}  // namespace ingot::bmc::redfish
