#include "agent/raised_health.hpp"

#include <algorithm>

namespace ingot::agent {

void RaisedHealth::note(const bmc::SensorReading& reading, base::MonoTime now, base::MonoTime until) {
  std::erase_if(byPart_, [now](const auto& before) { return before.second.until <= now; });
  std::map<bmc::Health, base::MonoTime> raised;
  const auto raise = [&raised](bmc::Health health, base::MonoTime believed) {
    auto& latest = raised[health];
    latest = std::max(latest, believed);
  };
  raise(reading.raised, until);
  std::map<std::string, Raised> by;
  for (const auto& [part, health] : reading.raisedBy) {
    Raised one{health, until};
    if (health == bmc::Health::unknown) {
      const auto before = byPart_.find(part);
      if (before == byPart_.end()) continue;
      one = before->second;
      raise(one.health, one.until);
    }
    if (one.health > by[part].health) by[part] = one;
  }
  if (!reading.sensors.unread.empty()) {
    by.merge(byPart_);
    for (const auto& [health, believed] : until_) raise(health, believed);
  }
  byPart_ = std::move(by);
  until_ = std::move(raised);
}

bmc::Health RaisedHealth::worst(base::MonoTime now) const {
  const auto at = waitsSince_.value_or(now);
  auto worst = bmc::Health::unknown;
  for (const auto& [health, until] : until_)
    if (at < until) worst = std::max(worst, health);
  return worst;
}

void RaisedHealth::goOn(base::MonoTime now) {
  if (!waitsSince_) return;  // of another BMC
  const auto waited = now - *waitsSince_;
  waitsSince_.reset();
  for (auto& [health, until] : until_) until += waited;
  for (auto& [part, raised] : byPart_) raised.until += waited;
}

}  // namespace ingot::agent
