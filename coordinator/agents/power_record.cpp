#include "coordinator/agents/power_record.hpp"

#include "base/sync.hpp"
#include "coordinator/host/progress.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration patience = std::chrono::seconds(2);

}  // namespace

PowerRecord::PowerRecord(base::Runtime runtime, AgentService& agents, decltype(IronicRecord::follow) follow)
    : runtime_(std::move(runtime)), agents_(agents), follow_(std::move(follow)) {}

base::Task<void> PowerRecord::align(host::PoweredHost host) {
  if (!follow_ || group_ == nullptr || !proved(host.uid, host.wantedOn)) co_return;
  const auto [entry, isNew] = underWay_.try_emplace(host.provisionerId);
  if (isNew) {
    entry->second = std::make_shared<base::Notifier>(runtime_.executor);
    group_->spawn("power record of " + host.provisionerId, carryOut(host));
  }
  const auto ended = entry->second;
  static_cast<void>(co_await ended->waitUntil(runtime_.clock, runtime_.clock.now() + patience));
}

base::Task<void> PowerRecord::carryOut(host::PoweredHost host) {
  std::string problem;
  try {
    static_cast<void>(
        co_await follow_(host, host.wantedOn, [this, uid = host.uid, on = host.wantedOn] { return proved(uid, on); }));
  } catch (const host::ProvisionerError& error) {  // the next reconcile tries again
    problem = error.what();
  }
  if (!problem.empty())
    runtime_.log.debug("Ironic's power record could not be brought up to date", {{"error", problem}});
  const auto ended = underWay_.extract(host.provisionerId);
  ended.mapped()->notifyAll();
}

// By a reading from since the agent has its right back: one from before says nothing of how Ironic has left the
// machine, and a record that followed it would make Ironic switch the machine.
bool PowerRecord::proved(const std::string& uid, bool on) const {
  return agents_.commands().underWay(uid) == nullptr &&
         agents_.commands().provedPower(uid) == (on ? bmc::Power::on : bmc::Power::off);
}

}  // namespace ingot::coordinator::agents
