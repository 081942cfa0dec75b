// Slots of hosts that have not shown up at work yet: several may be claimed between two sweeps.
#pragma once

#include "base/clock.hpp"

#include <map>
#include <set>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

class CapacityClaims {
 public:
  void claim(const std::string& nodeName, base::MonoTime now) {
    std::erase_if(until_, [&](const auto& item) { return item.second <= now; });
    until_[nodeName] = now + lifetime;
  }
  void release(const std::string& nodeName) { until_.erase(nodeName); }
  // These claims still count, by the names of their nodes.
  [[nodiscard]] std::set<std::string> live(base::MonoTime now) const {
    std::set<std::string> names;
    for (const auto& [name, until] : until_)
      if (until > now) names.insert(name);
    return names;
  }

 private:
  static constexpr base::Duration lifetime = std::chrono::seconds(30);
  std::map<std::string, base::MonoTime> until_;
};

}  // namespace ingot::coordinator::host::ironic_backend
