#include "coordinator/agents/strangers.hpp"

namespace ingot::coordinator::agents {

Strangers::Strangers(StrangerLimits limits)
    : limits_(limits),
      messages_(limits.perMessage, limits.burst),
      connections_(limits.perConnection, limits.connectionBurst) {}

bool Strangers::admitsMessage(const std::string& publicKey, std::size_t bytes, base::MonoTime now) {
  if (bytes > limits_.longestMessage) return false;
  auto found = byKey_.find(publicKey);
  if (found == byKey_.end()) {
    if (byKey_.size() >= limits_.mostKeys)
      std::erase_if(byKey_, [now](const auto& it) { return it.second.isRested(now); });
    if (byKey_.size() >= limits_.mostKeys) return false;
    found = byKey_.try_emplace(publicKey, limits_.perKey, limits_.burstPerKey).first;
  }
  return found->second.takeNow(now) && messages_.takeNow(now);
}

}  // namespace ingot::coordinator::agents
