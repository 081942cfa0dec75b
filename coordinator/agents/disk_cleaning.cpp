#include "coordinator/agents/disk_cleaning.hpp"

#include "bmc/model/unerased.hpp"
#include "coordinator/agents/cleaning_depth.hpp"
#include "coordinator/agents/erasure_certificate.hpp"
#include "coordinator/host/cluster.hpp"

#include <fmt/chrono.h>

namespace ingot::coordinator::agents {

namespace {

using host::Done;
using host::Progress;
using host::Refused;
using host::Working;

constexpr int mostOfOneName = 9;  // ConfigMaps of a certificate

std::string timeText(base::WallTime time) {
  return fmt::format("{:%Y%m%d%H%M%S}", std::chrono::floor<std::chrono::seconds>(time));
}

// Names the erasure of this deprovisioning, the same after a restart. nullopt: the status has lost when it began.
std::optional<std::string> jobOf(const api::BareMetalHost& host) {
  const auto& begun = host.status.operationHistory.deprovision.start;
  return begun ? std::optional(timeText(*begun)) : std::nullopt;
}

}  // namespace

base::Task<std::optional<Progress>> DiskCleaning::erase(api::BareMetalHost host) {
  const auto uid = host.metadata.uid;
  if (const auto found = states_.find(uid); found != states_.end() && found->second.refused)
    co_return *found->second.refused;
  auto progress = co_await step(std::move(host));
  if (progress)
    if (const auto* refused = std::get_if<Refused>(&*progress); refused != nullptr && !refused->retryAfter)
      states_[uid].refused = *refused;
  co_return progress;
}

std::optional<Progress> DiskCleaning::callOff(const api::BareMetalHost& host, bool isRemembered) {
  const auto& uid = host.metadata.uid;
  const auto found = states_.find(uid);
  const bool mayBeAtIt = found == states_.end() ? !isRemembered : found->second.phase != State::Phase::erased;
  if (!mayBeAtIt || !tools_.agents.jobs().erasesDrives(uid)) return std::nullopt;
  auto& state = states_[uid];
  takeJob(state, host);
  if (state.isCalledOff) return std::nullopt;
  auto step = tools_.erasure.step(uid, {.job = state.job, .order = {}, .resumeOnly = true});
  if (!step.isIdle && !std::holds_alternative<Done>(step.progress)) return std::move(step.progress);
  state = {.job = state.job, .isCalledOff = true};
  return std::nullopt;
}

void DiskCleaning::takeJob(State& state, const api::BareMetalHost& host) const {
  const auto job = jobOf(host);
  if (job && state.job != *job) state = {.job = *job};
  if (state.job.empty()) state.job = timeText(tools_.clock.wall());
}

// An agent that is at it already, asked by a coordinator before this one, goes on with it.
base::Task<std::optional<Progress>> DiskCleaning::step(api::BareMetalHost host) {
  const auto uid = host.metadata.uid;
  auto& state = states_[uid];
  takeJob(state, host);
  if (state.phase == State::Phase::erased) co_return std::nullopt;
  if (state.phase == State::Phase::preparing) {
    if (auto wait = co_await prepare(state)) co_return wait;
    state.phase = State::Phase::erasing;
  }
  const auto order = eraseOrder(host, *cleaningDepth(host));
  if (state.checked != order) {
    if (auto other = tools_.otherWithDisk(uid, order); !other.empty()) co_return Refused{std::move(other)};
    state.checked = order;
  }
  state.isCalledOff = false;
  auto step =
      tools_.erasure.step(uid, {.job = state.job, .order = order, .resumeOnly = state.phase == State::Phase::asking});
  if (step.isIdle && state.phase != State::Phase::asking) co_return Working{.after = std::chrono::seconds(15)};
  if (step.isIdle) {
    state.phase = State::Phase::preparing;
    tools_.publish("ErasureStarted", "Erasing the disks through the BMC");
    co_return Working{};
  }
  if (!std::holds_alternative<Done>(step.progress)) co_return std::move(step.progress);
  co_await certify(std::move(host), std::move(*step.report));
  states_[uid].phase = State::Phase::erased;
  co_return std::nullopt;
}

// Drives have power while the host is on, and none is written to while it is in its setup.
base::Task<std::optional<Progress>> DiskCleaning::prepare(State& state) {
  bmc::BootPlan plan;
  if (!state.staysOff) plan.setting.device = bmc::BootDevice::bios;
  bool declined = false;
  if (auto wait = co_await tools_.prepareWhileOff(std::move(plan), declined)) {
    if (state.staysOff || !declined) co_return wait;
    state.staysOff = true;
    co_return Working{};
  }
  if (state.staysOff) co_return std::nullopt;
  auto on = co_await tools_.turnOn();
  co_return std::holds_alternative<Done>(on) ? std::nullopt : std::optional(std::move(on));
}

// A certificate that nobody can store keeps nothing clean from being given back: the agent has the record.
base::Task<void> DiskCleaning::certify(api::BareMetalHost host, wire::EraseReport report) {
  const auto server = tools_.agents.grants().serverOf(host.metadata.uid);
  const auto& order = *states_[host.metadata.uid].checked;
  while (const auto step = bmc::firstUntaken(order, report.steps))
    report.steps.push_back({.step = std::string(toText(*step)),
                            .outcome = std::string(toText(bmc::StepOutcome::skipped)),
                            .detail = "the agent is of a version that takes no steps"});
  auto certificate = certificateOf(host, {server.name, server.software, report});
  std::string where;
  try {
    where = "; certificate in ConfigMap " + co_await store(std::move(certificate));
  } catch (const kube::Error& error) {
    if (!host::refusedForGood(error)) throw;
    where = fmt::format("; the certificate could not be stored ({}), the agent keeps the record", error.what());
  }
  tools_.publish("DisksErased", summaryOf(report) + where);
}

// Under which name. One that somebody else has put there is not taken for ours.
base::Task<std::string> DiskCleaning::store(kube::ConfigMap certificate) {
  const auto name = certificate.metadata.name;
  for (int number = 2;; ++number) {
    const kube::ObjectKey key{certificate.metadata.namespace_, certificate.metadata.name};
    try {
      static_cast<void>(co_await tools_.client.create(certificate));
      co_return key.name;
    } catch (const kube::Error& error) {
      if (error.code() != kube::Error::Code::alreadyExists || number > mostOfOneName) throw;
    }
    const auto there = co_await tools_.client.get<kube::ConfigMap>(key);
    if (there && there->data == certificate.data) co_return key.name;
    certificate.metadata.name = fmt::format("{}-{}", name, number);
  }
}

}  // namespace ingot::coordinator::agents
