// What agents tell of sensors.
#include "base/milliseconds.hpp"
#include "bmc/model/address.hpp"
#include "coordinator/agents/served.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::int64_t ipmiFactor = 5, ipmiDivisor = 2;  // five minutes where Redfish has two (spec/bmc.md §19.2)
constexpr int believedIntervals = 3;

}  // namespace

bool speaksIpmi(const std::string& address) {
  try {
    return bmc::parseAddress(address).traits().protocol == bmc::Protocol::ipmi;
  } catch (const bmc::AddressError&) {
    return false;
  }
}

std::int64_t AgentService::sensorPollMs(const std::string& address) const {
  if (world_.sensors == nullptr) return 0;
  return speaksIpmi(address) ? timing_.sensorPollMs * ipmiFactor / ipmiDivisor : timing_.sensorPollMs;
}

// Of the agent that serves the host, with the access that it has now: else it may be another machine's.
void AgentService::onSensors(const Connection& from, const wire::SensorFacts& facts) {
  const auto* served = findServed(facts.host);
  const auto lease = leases_.find(facts.host);
  if (world_.sensors == nullptr || served == nullptr || served->agent != nameOf(from) || !lease) return;
  const wire::Token of{facts.term, facts.lease, 0};
  if (of < served->accessGrant || wire::Token{lease->token.term, lease->token.lease, 0} < of) return;
  const auto interval = base::fromMilliseconds(sensorPollMs(served->granted.address));
  world_.sensors->take(facts.host, served->key, facts, believedIntervals * interval, runtime_.clock.now());
}

}  // namespace ingot::coordinator::agents
