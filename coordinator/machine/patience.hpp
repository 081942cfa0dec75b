// Since when each machine has been waiting for what usually comes soon. Nobody is told of such a wait before it lasts:
// a status that the next pass overtakes is a write for nothing, and several more of those who copy it.
#pragma once

#include "base/clock.hpp"
#include "kube/core/object_key.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace ingot::coordinator::machine {

inline constexpr base::Duration kShortWait = std::chrono::seconds(15);
// Until the Machine has what it needs itself, which it shows.
inline constexpr base::Duration kMachineWait = std::chrono::minutes(1);

class Patience {
 public:
  // One more pass ends in a wait at this step. What is left of the time in which nobody is told; zero: it is over.
  [[nodiscard]] base::Duration left(const kube::ObjectKey& machine, std::string_view step, base::Duration longest,
                                    base::MonoTime now);
  // It waits no more, or is gone.
  void over(const kube::ObjectKey& machine) { since_.erase(machine); }

 private:
  std::map<kube::ObjectKey, std::pair<std::string_view, base::MonoTime>> since_;
};

}  // namespace ingot::coordinator::machine
