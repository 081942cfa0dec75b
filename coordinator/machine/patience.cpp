#include "coordinator/machine/patience.hpp"

#include <algorithm>

namespace ingot::coordinator::machine {

base::Duration Patience::left(const kube::ObjectMeta& machine, std::string_view step, base::Duration longest,
                              base::MonoTime now) {
  Wait& wait = waits_[machine.key()];
  if (wait.uid != machine.uid || wait.step != step) wait = {machine.uid, step, now};
  return std::max(base::Duration::zero(), longest - (now - wait.since));
}

}  // namespace ingot::coordinator::machine
