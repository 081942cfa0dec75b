// Which nodes' ports were found complete, so that a steady host costs no request. Ironic itself adds and removes ports
// only while it moves a node to another state (an inspection removes those it did not see), so the answer holds until
// the node moves.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

class PortLedger {
 public:
  // `basis`: what the answer rests on, ports wanted and the node's last move; as a number, for it is kept for each
  // host.
  [[nodiscard]] bool settled(const std::string& uuid, std::size_t basis) const {
    const auto it = entries_.find(uuid);
    return it != entries_.end() && it->second == basis;
  }
  void note(const std::string& uuid, std::size_t basis) { entries_[uuid] = basis; }
  void forget(const std::string& uuid) { entries_.erase(uuid); }

 private:
  std::map<std::string, std::size_t> entries_;
};

}  // namespace ingot::coordinator::host::ironic_backend
