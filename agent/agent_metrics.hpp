// What an agent counts of its own work, for Prometheus. Nothing of single hosts: these are the coordinator's to show.
#pragma once

#include "agent/agent.hpp"
#include "base/metrics.hpp"

namespace ingot::agent {

class AgentMetrics {
 public:
  // Both outlive this. An agent has one at most.
  AgentMetrics(base::Metrics& metrics, Agent& agent);
  ~AgentMetrics();
  AgentMetrics(const AgentMetrics&) = delete;
  AgentMetrics& operator=(const AgentMetrics&) = delete;

 private:
  void collect();
  void count(const wire::Message& told);

  base::Metrics& metrics_;
  Agent& agent_;
  std::set<std::string> seen_;  // states of BMCs: one that is no host's any more is 0
  std::int64_t dropped_ = 0;    // messages, as counted so far
};

}  // namespace ingot::agent
