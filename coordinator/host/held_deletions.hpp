// Since when a step of a host's deletion has been held: refused, or not brought to an end, by a backend that answers.
// Whoever keeps this gives such a step up after some time. A coordinator that starts anew counts anew.
#pragma once

#include "base/runtime.hpp"
#include "coordinator/host/state.hpp"
#include "kube/core/object_key.hpp"

#include <map>

namespace ingot::coordinator::host {

class HeldDeletions {
 public:
  explicit HeldDeletions(base::Runtime runtime) : runtime_(std::move(runtime)) {}

  // One more pass in which this step was held; for how long by now without a break. The step is named by its state,
  // registration by State::registering.
  [[nodiscard]] base::Duration noteHeld(const kube::ObjectKey& host, State step);
  // The step went on.
  void over(const kube::ObjectKey& host, State step) { since_.erase({host, step}); }
  // The host is gone, or the backend cannot be asked at all: nothing of what was counted says anything then.
  void forget(const kube::ObjectKey& host);

  // When to try again what was refused for so long.
  [[nodiscard]] base::Duration retryDelay(base::Duration held);

 private:
  struct Hold {
    base::MonoTime since, last;
  };
  base::Runtime runtime_;
  std::map<std::pair<kube::ObjectKey, State>, Hold> since_;
};

}  // namespace ingot::coordinator::host
