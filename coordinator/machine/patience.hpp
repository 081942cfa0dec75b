// Since when each machine has been waiting for what usually comes soon. Nobody is told of such a wait before it lasts:
// a status that the next pass overtakes is a write for nothing, and several more of those who copy it.
#pragma once

#include "base/clock.hpp"
#include "kube/core/object_meta.hpp"

#include <map>
#include <string>
#include <string_view>

namespace ingot::coordinator::machine {

inline constexpr base::Duration kShortWait = std::chrono::seconds(15);
// Until the Machine has what it needs itself, which it shows.
inline constexpr base::Duration kMachineWait = std::chrono::minutes(1);

// So late a request may be carried out whose answer was lost.
inline constexpr base::Duration kLostAnswer = std::chrono::minutes(1);

// What is made anew comes one by one: so long something is not gone yet. Shorter than the time to the next look.
inline constexpr base::Duration kAbsence = std::chrono::seconds(20);

class Patience {
 public:
  // One more pass ends in a wait at this step. What is left of the time in which nobody is told; zero: it is over.
  [[nodiscard]] base::Duration left(const kube::ObjectMeta& machine, std::string_view step, base::Duration longest,
                                    base::MonoTime now);
  // It waits no more, or is gone.
  void over(const kube::ObjectKey& machine) { waits_.erase(machine); }

 private:
  struct Wait {
    std::string uid;  // of the machine: its successor of the same name waits anew
    std::string_view step;
    base::MonoTime since{};
  };
  std::map<kube::ObjectKey, Wait> waits_;
};

}  // namespace ingot::coordinator::machine
