// The in-memory twin of the link: one coordinator end, any number of agents, messages in order, and a switch that cuts.
#pragma once

#include "base/sync.hpp"
#include "wire/link.hpp"

#include <deque>
#include <map>

namespace ingot::wire {

// Outlives the ends it makes. Everything on one loop thread; delivery is immediate, waking is through the loop.
class MemoryNetwork {
 public:
  explicit MemoryNetwork(base::Runtime runtime);
  ~MemoryNetwork();

  [[nodiscard]] std::unique_ptr<CoordinatorLink> coordinator();  // one at a time; a new one starts with no peers
  [[nodiscard]] std::unique_ptr<AgentLink> agent(const std::string& publicKey);

  // While cut nothing passes in either direction; the sender does not learn of it (as with a real network).
  void cut(const std::string& publicKey);
  void mend(const std::string& publicKey);

  struct State;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace ingot::wire
