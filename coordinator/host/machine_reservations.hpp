// Machines for which a host gets its node just now. From the check that no other host comes first (same_machine.hpp)
// until the host's status names the node, nothing in the cluster tells of it. One thread.
#pragma once

#include "kube/core/object_meta.hpp"

#include <map>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

class MachineReservations {
 public:
  // By its name of machineNames(); nullptr: nobody.
  [[nodiscard]] const kube::ObjectKey* holderOf(const std::string& machine) const {
    const auto found = holders_.find(machine);
    return found == holders_.end() ? nullptr : &found->second;
  }

  // In place of what the host had before. What another one holds stays with that one.
  void reserve(const kube::ObjectKey& host, std::vector<std::string> machines) {
    release(host);
    for (const std::string& machine : machines) holders_.try_emplace(machine, host);
    machines_[host] = std::move(machines);
  }

  void release(const kube::ObjectKey& host) {
    const auto found = machines_.find(host);
    if (found == machines_.end()) return;
    for (const std::string& machine : found->second)
      if (const auto holder = holders_.find(machine); holder != holders_.end() && holder->second == host)
        holders_.erase(holder);
    machines_.erase(found);
  }

 private:
  std::map<std::string, kube::ObjectKey> holders_;
  std::map<kube::ObjectKey, std::vector<std::string>> machines_;
};

}  // namespace ingot::coordinator::host
