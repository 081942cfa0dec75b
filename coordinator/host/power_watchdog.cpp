#include "coordinator/host/power_watchdog.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host {
namespace {

constexpr base::Duration worthAWord = std::chrono::seconds(60);
constexpr base::Duration tooLong = std::chrono::minutes(5);
constexpr base::Duration lookAgain = std::chrono::seconds(15);

// A waiting host asks every few seconds. A change that nobody asked for this long counts as a new one when it is asked
// for again.
constexpr base::Duration waitForgottenAfter = std::chrono::seconds(60);

constexpr std::string_view marker = "operation waits: ";

}  // namespace

bool onlyWaits(std::string_view error) { return error.find(marker) != std::string_view::npos; }

bool onlyWaits(const api::BareMetalHost& host) { return onlyWaits(host.status.errorMessage); }

base::Task<PowerReading> PowerWatchdog::read(const PoweredHost& host, PowerBackend& backend) {
  return actor_.read(host, backend);
}

base::Task<Progress> PowerWatchdog::checkAccess(const PoweredHost& host) { return actor_.checkAccess(host); }

base::Task<bool> PowerWatchdog::hasFailure(const PoweredHost& host, PowerBackend& backend) {
  return actor_.hasFailure(host, backend);
}

base::Task<Progress> PowerWatchdog::turnOn(const PoweredHost& host, PowerBackend& backend, PowerOn how) {
  const std::string uid = host.uid;
  co_return co_await judge(uid, backend, {.on = true, .force = how.force}, co_await actor_.turnOn(host, backend, how));
}

base::Task<Progress> PowerWatchdog::turnOff(const PoweredHost& host, PowerBackend& backend, PowerOff how) {
  const std::string uid = host.uid;
  co_return co_await judge(uid, backend, {.on = false, .force = how.force},
                           co_await actor_.turnOff(host, backend, how));
}

base::Task<Progress> PowerWatchdog::judge(std::string uid, PowerBackend& backend, Change change, Progress progress) {
  if (std::holds_alternative<Done>(progress)) {
    waits_.erase(uid);
    co_return progress;
  }
  const base::Duration time = noteWait(uid, change.on);
  const auto* working = std::get_if<Working>(&progress);
  if (working == nullptr || time < worthAWord) co_return progress;
  if (change.force && working->errorStands) co_return progress;  // the reason that is shown is a better one

  std::string why = co_await backend.obstacle(time);
  // Who watches over the change itself (`errorStands`) names the cause when it fails.
  if (why.empty() && time >= tooLong && !working->errorStands)
    why = "it was asked for minutes ago and has not come about";
  if (why.empty()) co_return progress;
  co_return Refused{fmt::format("{} {}{}", change.on ? "PowerOn" : "PowerOff", marker, why), lookAgain};
}

base::Duration PowerWatchdog::noteWait(const std::string& uid, bool on) {
  const base::MonoTime now = clock_.now();
  std::erase_if(waits_, [&](const auto& item) { return now - item.second.lastAsked > waitForgottenAfter; });
  Wait& wait = waits_.try_emplace(uid, Wait{on, now, now}).first->second;
  if (wait.on != on) wait = {on, now, now};
  wait.lastAsked = now;
  return now - wait.since;
}

}  // namespace ingot::coordinator::host
