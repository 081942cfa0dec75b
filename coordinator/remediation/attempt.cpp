#include "coordinator/remediation/attempt.hpp"

#include "kube/runtime/conditions.hpp"

#include <algorithm>

namespace ingot::coordinator::remediation {
namespace {

constexpr int kDefaultTimeout = 600;  // seconds
constexpr std::string_view kHealthCheckSucceeded = "HealthCheckSucceeded";

int retriesOf(const Metal3Remediation& remediation) {
  return remediation.spec.strategy ? remediation.spec.strategy->retryLimit : 0;
}

void run(Metal3Remediation& remediation, base::WallTime now) {
  remediation.status.phase = phase::running;
  showBegin(remediation, now);
}

}  // namespace

bool isReboot(const Metal3Remediation& remediation) {
  return remediation.spec.strategy && remediation.spec.strategy->type == "Reboot";
}

bool isUnderWay(const Metal3Remediation& remediation) {
  return remediation.status.phase == phase::running || remediation.status.phase == phase::waiting;
}

base::Duration timeOf(const Metal3Remediation& remediation) {
  const auto& strategy = remediation.spec.strategy;
  return std::chrono::seconds(strategy && strategy->timeoutSeconds > 0 ? strategy->timeoutSeconds : kDefaultTimeout);
}

base::Duration timeLeft(const Metal3Remediation& remediation, base::Duration spent) {
  return std::max(base::Duration{}, timeOf(remediation) - spent);
}

bool isWithin(const Metal3Remediation& remediation, base::Duration grace, base::Duration spent) {
  return spent < timeOf(remediation) + grace;
}

Verdict judge(const Metal3Remediation& remediation, const Machine& machine, base::Duration spent) {
  if (timeLeft(remediation, spent) > base::Duration{} || isHealthy(machine)) return Verdict::goOn;
  return remediation.status.retryCount < retriesOf(remediation) ? Verdict::tryAgain : Verdict::giveUp;
}

bool isHealthy(const Machine& machine) {
  if (const auto* checked = kube::findCondition(machine.status.conditions, kHealthCheckSucceeded))
    return checked->status == "True";
  const auto& legacy = machine.status.deprecated.v1beta1.conditions;
  const auto checked = std::ranges::find(legacy, kHealthCheckSucceeded, &api::capi::LegacyCondition::type);
  return checked != legacy.end() && checked->status == "True";
}

void begin(Metal3Remediation& remediation, base::WallTime now) { run(remediation, now); }

void beginAgain(Metal3Remediation& remediation, base::WallTime now) {
  run(remediation, now);
  ++remediation.status.retryCount;
}

void showBegin(Metal3Remediation& remediation, base::WallTime now) {
  remediation.status.lastRemediated = std::chrono::floor<std::chrono::seconds>(now);
}

}  // namespace ingot::coordinator::remediation
