// Looks at all nodes at once: often while something is under way, seldom otherwise. Everybody who waits for a node
// waits for this one, so Ironic is asked the same however many hosts there are.
#pragma once

#include "base/sync.hpp"
#include "ironic-client/connection.hpp"
#include "ironic-client/node_cache.hpp"

namespace ingot::ironic {

struct Pace {
  base::Duration busy = std::chrono::milliseconds(1500);
  base::Duration calm = std::chrono::seconds(30);
  base::Duration down = std::chrono::seconds(2);  // while Ironic does not answer
  double jitter = 0.1;
};

class Sweep {
 public:
  Sweep(base::Runtime runtime, Connection& connection, NodeCache& cache, Pace pace = {});

  // Until cancelled.
  [[nodiscard]] base::Task<void> run();

  // One look, now. Throws Error.
  [[nodiscard]] base::Task<void> once();

  // Something was asked of Ironic: look again soon.
  void trigger();

 private:
  [[nodiscard]] base::Task<bool> attempt();  // false: no answer
  [[nodiscard]] base::Task<void> rest(bool answered);

  base::Runtime runtime_;
  Connection& connection_;
  NodeCache& cache_;
  Pace pace_;
  base::Notifier triggered_;
};

}  // namespace ingot::ironic
