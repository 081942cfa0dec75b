// Which nodes' ports were found complete, so that a steady host costs no request. Ironic itself adds and removes ports
// only while it moves a node to another state, so the answer holds as long as the state does.
#pragma once

#include "ironic-client/state.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

class PortLedger {
 public:
  [[nodiscard]] bool settled(const std::string& uuid, ironic::State state, std::size_t ports) const {
    const auto it = entries_.find(uuid);
    return it != entries_.end() && it->second == Entry{state, ports};
  }
  void note(const std::string& uuid, ironic::State state, std::size_t ports) { entries_[uuid] = {state, ports}; }
  void forget(const std::string& uuid) { entries_.erase(uuid); }

 private:
  struct Entry {
    ironic::State state;
    std::size_t ports;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace ingot::coordinator::host::ironic_backend
