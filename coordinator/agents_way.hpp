// How agents come to the coordinator that leads: in a cluster by a Service, else at an address of this machine.
#pragma once

#include "base/clock.hpp"
#include "kube/client/client.hpp"

#include <array>
#include <string>
#include <vector>

namespace ingot::coordinator {

struct AgentsWay {
  bool leads = true;
  std::string text;      // for people: which way it is, or what is wrong with it
  bool mayPass = false;  // it leads nowhere while leadership changes over
};

// What the next reads, beside the Lease.
[[nodiscard]] std::array<kube::Resource, 2> readForAgentsWay();

struct LeaderLease {
  kube::ObjectKey key;    // of the coordinators in its namespace
  bool standsBy = false;  // whoever leads does not act, and is not labelled: a manager of Metal3 runs
};

// By a Service that selects the pod with the leader's label. Without one that is an endpoint it leads nowhere when
// somebody leads. A Lease has a holder also after that was killed, and before a new one can be reached: where it
// leads nowhere it is asked again for as long as that may take, 30 s with a usual Lease. Throws kube::Error.
[[nodiscard]] base::Task<AgentsWay> wayThroughServices(kube::Client& client, base::Clock& clock, LeaderLease leader);

// To `endpoint` (tcp://ADDRESS:PORT), where this process would listen; `names` are those of its machine, as
// net::machineNames() has them.
[[nodiscard]] AgentsWay wayToMachine(const std::string& endpoint, const std::vector<std::string>& names);

}  // namespace ingot::coordinator
