// What agents that nobody has approved may cost: they share fixed rates, so those that are approved are heard however
// many strangers there are, and whatever they send.
#pragma once

#include "base/pace.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::agents {

struct StrangerLimits {
  std::size_t longestMessage = 4096;  // bytes; a hello has some hundred
  std::size_t mostKeys = 256;         // that are told apart
  // One message a while on average, and so many at once.
  base::Duration perKey = std::chrono::milliseconds(500);
  unsigned burstPerKey = 10;
  base::Duration perMessage = std::chrono::milliseconds(10);
  unsigned burst = 500;
  base::Duration perConnection = std::chrono::milliseconds(200);
  unsigned connectionBurst = 128;
};

class Strangers {
 public:
  explicit Strangers(StrangerLimits limits = {});

  // A message of this many bytes is to be read.
  [[nodiscard]] bool admitsMessage(const std::string& publicKey, std::size_t bytes, base::MonoTime now);
  // Another connection of a stranger is to be taken.
  [[nodiscard]] bool admitsConnection(base::MonoTime now) { return connections_.takeNow(now); }

 private:
  StrangerLimits limits_;
  base::Pace messages_, connections_;
  std::map<std::string, base::Pace> byKey_;
};

}  // namespace ingot::coordinator::agents
