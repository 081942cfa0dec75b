#include "coordinator/machine/patience.hpp"

#include <algorithm>

namespace ingot::coordinator::machine {

base::Duration Patience::left(const kube::ObjectKey& machine, std::string_view step, base::Duration longest,
                              base::MonoTime now) {
  auto& [known, since] = since_.try_emplace(machine, step, now).first->second;
  if (known != step) {
    known = step;
    since = now;
  }
  return std::max(base::Duration::zero(), longest - (now - since));
}

}  // namespace ingot::coordinator::machine
