// How agents come to the coordinator that leads: in a cluster by a Service, else at an address of this machine.
#pragma once

#include "kube/client/client.hpp"

#include <array>
#include <string>

namespace ingot::coordinator {

struct AgentsWay {
  bool leads = true;
  std::string text;  // for people: which way it is, or what is wrong with it
};

// What the next reads.
[[nodiscard]] std::array<kube::Resource, 2> readForAgentsWay();

// By a Service of `namespace_` that selects the pod with the leader's label. Without one that is an endpoint it leads
// nowhere when `somebodyLeads`. Throws kube::Error.
[[nodiscard]] base::Task<AgentsWay> wayThroughServices(kube::Client& client, std::string namespace_,
                                                       bool somebodyLeads);

// To `endpoint` (tcp://ADDRESS:PORT), where this process would listen.
[[nodiscard]] AgentsWay wayToMachine(const std::string& endpoint);

}  // namespace ingot::coordinator
