// The Leases by which Metal3's managers elect their leaders, held by us while we act: a manager that comes up finds
// them taken. There is one in each namespace where such a manager has run, and one in our own.
#pragma once

#include "coordinator/managers/managers.hpp"
#include "kube/runtime/leader_election.hpp"

#include <map>
#include <string>
#include <vector>

namespace ingot::coordinator::managers {

struct HeldLeasesOptions {
  std::vector<Manager> managers;
  std::string namespace_;  // our own
  // Of the whole installation: which of its replicas leads is decided by its own Lease, and the next one must not wait
  // for these to run out.
  std::string installation;
};

class HeldLeases {
 public:
  // `client` outlives it.
  HeldLeases(const base::Runtime& runtime, kube::Client& client, HeldLeasesOptions options);

  // Renews what is ours and takes what nobody holds. Returns who holds the others, "" when nobody does: a holder counts
  // as long as its Lease has not stood still for its whole duration under our eyes. Those that another installation of
  // Ingot holds are left to it: it looks at other namespaces. Throws kube::Error.
  [[nodiscard]] base::Task<std::string> hold();

 private:
  [[nodiscard]] base::Task<std::string> hold(kube::Lease lease);
  [[nodiscard]] base::Task<void> create(std::string name);
  void observe(const kube::Lease& lease);

  base::Runtime runtime_;
  kube::Client& client_;
  HeldLeasesOptions options_;
  kube::ElectionOptions election_;
  std::map<kube::ObjectKey, kube::LeaseObservation> seen_;
};

}  // namespace ingot::coordinator::managers
