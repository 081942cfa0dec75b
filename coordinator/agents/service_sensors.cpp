// What agents tell for Prometheus: readings that nobody acts on.
#include "base/milliseconds.hpp"
#include "bmc/model/address.hpp"
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::int64_t ipmiFactor = 5, ipmiDivisor = 2;  // five minutes where Redfish has two (spec/bmc.md §19.2)
constexpr int believedIntervals = 3;
constexpr base::Duration toldFor = std::chrono::minutes(3);  // an ill BMC is polled every 30 s

}  // namespace

bool speaksIpmi(const std::string& address) {
  try {
    return bmc::parseAddress(address).traits().protocol == bmc::Protocol::ipmi;
  } catch (const bmc::AddressError&) {
    return false;
  }
}

std::int64_t intervalBehind(const std::string& address, std::int64_t milliseconds) {
  return speaksIpmi(address) ? milliseconds * ipmiFactor / ipmiDivisor : milliseconds;
}

std::int64_t AgentService::sensorPollMs(const std::string& address) const {
  return world_.readings == nullptr ? 0 : intervalBehind(address, timing_.sensorPollMs);
}

// Without it what was read may be another machine's.
const AgentService::Served* AgentService::servedBy(const Connection& agent, const std::string& uid,
                                                   const wire::Token& grant) const {
  const auto* served = findServed(uid);
  const auto lease = leases_.find(uid);
  if (served == nullptr || served->agent != nameOf(agent) || !lease) return nullptr;
  const wire::Token latest{lease->token.term, lease->token.lease, 0};
  return grant < served->accessGrant || latest < grant ? nullptr : served;
}

void AgentService::onSensors(const Connection& from, const wire::SensorFacts& facts) {
  const auto* served = servedBy(from, facts.host, {facts.term, facts.lease, 0});
  if (world_.readings == nullptr || served == nullptr) return;
  const auto interval = base::fromMilliseconds(sensorPollMs(served->granted.address));
  world_.readings->take(facts.host, served->key, facts, believedIntervals * interval, runtime_.clock.now());
}

// Told at each poll, so that one that is not told for long says that nobody looks.
void AgentService::noteReading(const std::string& uid, const kube::ObjectKey& host) {
  const auto* facts = facts_.find(uid);
  if (world_.readings == nullptr || facts == nullptr) return;
  const auto until = [](const std::optional<base::MonoTime>& at, base::Duration limit) {
    return at ? *at + limit : base::MonoTime{};
  };
  world_.readings->note(uid, host,
                        {.power = facts->power, .health = facts->health, .bmcAnswers = facts->bmcErrorCode.empty()},
                        {.power = until(facts->powerAt, timing_.facts.power),
                         .health = until(facts->healthAt, timing_.facts.health),
                         .told = runtime_.clock.now() +
                                 std::max<base::Duration>(toldFor, 4 * base::fromMilliseconds(timing_.powerPollMs))});
}

}  // namespace ingot::coordinator::agents
