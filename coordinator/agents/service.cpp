#include "coordinator/agents/service.hpp"

#include "base/vital.hpp"

namespace ingot::coordinator::agents {

AgentService::AgentService(base::Runtime runtime, AgentWorld world, AgentTiming timing)
    : runtime_(runtime.named("agents")),
      world_(std::move(world)),
      timing_(timing),
      conversation_(runtime_, world_),
      grants_(runtime_, world_, timing_, conversation_, listener()),
      facts_(runtime_, world_, timing_, conversation_, grants_),
      commands_(runtime_, world_, timing_, conversation_, grants_, facts_),
      jobs_(runtime_, world_, conversation_, grants_) {}

GrantListener AgentService::listener() {
  return {.served = [this](const std::string& uid, const std::string& agent) { commands_.handOver(uid, agent); },
          .accessChanged =
              [this](const std::string& uid) {
                jobs_.forget(uid);
                facts_.forgetReadings(uid);
              },
          .addressChanged =
              [this](const std::string& uid) {
                facts_.forgetLogs(uid);
                jobs_.forgetHardware(uid);
              },
          .gone =
              [this](const std::string& uid) {
                facts_.forget(uid);
                commands_.forget(uid);
                jobs_.forget(uid);
                jobs_.forgetHardware(uid);
              }};
}

base::Task<void> AgentService::run() {
  co_await world_.agents.synced();
  co_await world_.hosts.synced();
  co_await world_.secrets.synced();
  grants_.begin();
  commands_.begin();
  base::VitalTasks tasks(runtime_.executor, runtime_.log);
  tasks.spawn("listen to agents",
              conversation_.listen(
                  {.message = [this](Connection& from, const wire::Message& message) { handle(from, message); },
                   .hello =
                       [this](const Connection& from, const std::string& name, bool isReplaced) {
                         grants_.onHello(from, name, isReplaced);
                         commands_.askAfter(from, name);
                       }}));
  tasks.spawn("keep agents in step", keepInStep());
  tasks.spawn("keep records of agents", grants_.keepRecords());
  co_await tasks.run();
}

base::Task<void> AgentService::keepInStep() {
  while (true) {
    if (grants_.review() == Grants::Reviewed::all)
      commands_.forgetAllBut([this](const std::string& uid) { return grants_.isThere(uid); });
    facts_.wakeExpired();
    co_await runtime_.clock.sleepFor(timing_.rest);  // a burst of changes is one review
    co_await grants_.somethingToReview();
  }
}

void AgentService::handle(Connection& from, const wire::Message& message) {
  if (const auto* heartbeat = std::get_if<wire::Heartbeat>(&message)) return takeHeartbeat(from, *heartbeat);
  if (const auto* idle = std::get_if<wire::Idle>(&message)) return grants_.onIdle(from, *idle);
  const auto name = conversation_.nameOf(from);
  if (name.empty()) return;  // not approved: nothing it says counts
  if (std::holds_alternative<wire::Leaving>(message)) return grants_.onLeaving(from);
  if (const auto* facts = std::get_if<wire::Facts>(&message)) {
    if (facts_.onFacts(from, *facts) == Facts::Taken::gap) commands_.askAfter(from, name);
    return;
  }
  if (const auto* fresh = std::get_if<wire::StillFresh>(&message)) {
    if (facts_.onStillFresh(from, *fresh) == Facts::Taken::gap) commands_.askAfter(from, name);
    return;
  }
  if (const auto* result = std::get_if<wire::CommandResult>(&message)) return commands_.onResult(from, *result);
  if (const auto* result = std::get_if<wire::InventoryResult>(&message))
    return jobs_.onInventory(from, *result, facts_.power(result->host));
  if (const auto* result = std::get_if<wire::BootResult>(&message)) return jobs_.onBoot(from, *result);
  if (const auto* report = std::get_if<wire::EraseReport>(&message)) return jobs_.onErasure(from, *report);
  if (const auto* confirm = std::get_if<wire::EraseConfirm>(&message)) return jobs_.onEraseConfirm(from, *confirm);
  if (const auto* facts = std::get_if<wire::SensorFacts>(&message)) return facts_.onSensors(from, *facts);
  if (const auto* facts = std::get_if<wire::LogFacts>(&message)) return facts_.onLog(from, *facts);
  if (const auto* facts = std::get_if<wire::HardwareFacts>(&message)) return facts_.onHardware(from, *facts);
}

void AgentService::takeHeartbeat(Connection& from, const wire::Heartbeat& heartbeat) {
  const auto before = std::exchange(from.heartbeat, heartbeat.seq);
  const bool isSomeLost = before > 0 && heartbeat.seq > 0 && heartbeat.seq != before + 1;
  conversation_.settleCredit(from, heartbeat);
  grants_.onHeartbeat(from, heartbeat);
  if (const auto name = conversation_.nameOf(from); isSomeLost && !name.empty()) commands_.askAfter(from, name);
}

base::Task<bool> AgentService::acquireBmc(std::string uid) { co_return grants_.acquireBmc(uid); }

}  // namespace ingot::coordinator::agents
