// Which agent serves which host (docs/architecture.md). Pure and stable: a host moves only when an agent comes, goes or
// changes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::agents {

struct AgentCandidate {
  std::string name;                               // of the ProvisioningAgent
  std::vector<std::string> networks;              // CIDR
  std::map<std::string, std::string> hostLabels;  // all must match; empty: none by label
  bool allHosts = false;
  bool isLeaving = false;  // keeps what nobody else would serve as well

  friend bool operator==(const AgentCandidate&, const AgentCandidate&) = default;
};

struct HostRoute {
  std::string uid;
  std::string bmcHost;      // IP literal or name
  std::string wantedAgent;  // annotation ingot.dev/agent; "" when not set
  std::map<std::string, std::string> labels;
};

// Of the agents whose approval covers the host: the one that the annotation names, else the one with the longest
// network that holds the BMC, else with its labels, else one for all hosts; among equals rendezvous hashing decides.
// One that leaves is passed over for an equal. nullopt: nobody; so too where the annotation names an agent that is not
// among them.
[[nodiscard]] std::optional<std::string> route(const HostRoute& host, const std::vector<AgentCandidate>& candidates);

// This agent may be given the host, now or when others come and go: its approval covers the host, and no annotation
// names another agent.
[[nodiscard]] bool mayServe(const AgentCandidate& agent, const HostRoute& host);

// Prefix length when `address` lies in `cidr`; nullopt when not, or when either is malformed.
[[nodiscard]] std::optional<int> matchLength(const std::string& cidr, const std::string& address);

}  // namespace ingot::coordinator::agents
