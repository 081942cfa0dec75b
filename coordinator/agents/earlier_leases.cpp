#include "coordinator/agents/earlier_leases.hpp"

#include <algorithm>

namespace ingot::coordinator::agents {

void EarlierLeases::onRecord(std::set<std::string> keys) {
  onRecord_ = std::move(keys);
  weigh();
}

bool EarlierLeases::settled(const std::string& key, std::set<std::string> acting) {
  const auto [found, isNew] = settled_.try_emplace(key);
  if (!isNew && found->second == acting) return false;
  found->second = std::move(acting);
  weigh();
  return true;
}

void EarlierLeases::weigh() {
  all_ = onRecord_ && std::ranges::all_of(*onRecord_, [this](const auto& key) { return settled_.contains(key); });
  acting_.clear();
  for (const auto& [key, hosts] : settled_) acting_.insert(hosts.begin(), hosts.end());
}

bool EarlierLeases::over(const std::string& host, base::MonoTime now) const {
  return now >= until_ || (all_ && !acting_.contains(host));
}

bool EarlierLeases::overFor(const std::string& key, base::MonoTime now) const {
  const auto found = settled_.find(key);
  return now >= until_ || (found != settled_.end() && found->second.empty());
}

}  // namespace ingot::coordinator::agents
