// Nodes that are waited for: since when each of them has looked the same. Our own clock measures it; of Ironic's times
// only matters whether they change.
#pragma once

#include "base/clock.hpp"
#include "ironic-client/node.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

class Stalls {
 public:
  // One more look at a node that is waited for; for how long by now it has shown no sign of progress.
  [[nodiscard]] base::Duration note(const ironic::Node& node, base::MonoTime now);
  void forget(const std::string& node) { all_.erase(node); }

 private:
  struct Look {
    std::size_t record;  // hash of what changes with each sign of progress
    base::MonoTime since, last;
  };
  void prune(base::MonoTime now);

  std::map<std::string, Look> all_;  // by UUID
  std::size_t pruneAt_ = 64;
};

// What stands in the way of a node that is waited for and has looked the same for so long, for people, with what an
// operator can do; "": nothing. Pure.
[[nodiscard]] std::string obstacleToWait(const ironic::Node& node, base::Duration unchanged);

// What keeps a node of Ironic's that is lent to an agent, for people, with what an operator can do. Pure.
[[nodiscard]] std::string whyHeldWhileLent(const ironic::Node& node);

// Why the work that Ironic is doing on it may never end; "": nothing says so yet. It may end all the same. Pure.
[[nodiscard]] std::string stallOf(const ironic::Node& node, base::Duration unchanged);

}  // namespace ingot::coordinator::host::ironic_backend
