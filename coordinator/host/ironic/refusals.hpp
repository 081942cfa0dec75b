// Nodes for which Ironic refuses each request with 409: for a moment that is how it says "later", but a lock that a
// crashed conductor left lasts until that one is started again.
#pragma once

#include "base/clock.hpp"
#include "ironic-client/node.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

class Refusals {
 public:
  void refused(const std::string& node, std::string why, base::MonoTime now);
  // A request was taken, or failed in another way, or the node is gone.
  void over(const std::string& node) { all_.erase(node); }

  // Ironic's words for the last one; "" when none is on.
  [[nodiscard]] std::string why(const std::string& node) const;
  // For how long by now they have followed each other; 0: none is on.
  [[nodiscard]] base::Duration lastsFor(const std::string& node, base::MonoTime now) const;
  // The last one's words once that is a minute.
  [[nodiscard]] std::string lasting(const std::string& node, base::MonoTime now) const;

 private:
  struct Refusal {
    base::MonoTime since, last;
    std::string why;
  };
  std::map<std::string, Refusal> all_;  // by UUID
};

// Why requests for the node are refused, for people, with what an operator can do; "": nothing is in their way. Pure.
[[nodiscard]] std::string obstacleOf(const ironic::Node& node, const std::string& refusal);

}  // namespace ingot::coordinator::host::ironic_backend
