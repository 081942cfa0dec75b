// The Leases by which Metal3's managers elect their leaders, held by us while we act: a manager that comes up finds
// them taken. They are in our own namespace, in those where Metal3's manifests put its managers, and where one is known
// to be; who may write Leases elsewhere can say nothing by them.
#pragma once

#include "coordinator/managers/managers.hpp"
#include "kube/runtime/leader_election.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::managers {

struct HeldLeasesOptions {
  std::vector<Manager> managers;
  std::string namespace_;  // our own
  std::string ownLease;    // there: by which we elect our leader, whatever its name
  // Of the whole installation: which of its replicas leads is decided by its own Lease, and the next one must not wait
  // for these to run out.
  std::string installation;
};

class HeldLeases {
 public:
  // `client` outlives it.
  HeldLeases(const base::Runtime& runtime, kube::Client& client, HeldLeasesOptions options);

  struct Answer {
    std::string holders;       // for people; "" when nobody has any of them
    bool isOvertaken = false;  // somebody wrote one at the same time, or one cannot be written: to be looked at again
    [[nodiscard]] bool areOurs() const { return holders.empty() && !isOvertaken; }
  };
  // While nobody holds one of them: renews what is ours, takes what is free, and makes those of our own namespace. A
  // holder counts as long as its Lease has not stood still for its duration, a minute at most, under our eyes. Those
  // that another installation of Ingot holds are left to it: it looks at other namespaces. `more`: further namespaces
  // to look at. Throws kube::Error where they cannot be listed.
  [[nodiscard]] base::Task<Answer> hold(std::set<std::string> more);

 private:
  struct Found {
    kube::Lease lease;
    bool isThere = true;
  };
  [[nodiscard]] base::Task<std::vector<Found>> find(std::set<std::string> more);
  [[nodiscard]] std::string holderAgainstUs(const kube::Lease& lease);
  [[nodiscard]] bool isLeftTo(const kube::Lease& lease) const;
  [[nodiscard]] kube::LeaseSpec takenFrom(const std::optional<kube::Lease>& previous) const;
  [[nodiscard]] base::Task<bool> write(Found found);
  void observe(kube::Lease lease);

  base::Runtime runtime_;
  kube::Client& client_;
  HeldLeasesOptions options_;
  kube::ElectionOptions election_;
  std::map<kube::ObjectKey, kube::LeaseObservation> seen_;
};

}  // namespace ingot::coordinator::managers
