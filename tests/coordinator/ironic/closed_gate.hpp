// A gate that a test opens.
#pragma once

#include "coordinator/host/ironic/gate.hpp"

namespace ingot::tests {

struct ClosedGate final : coordinator::host::ironic_backend::Gate {
  base::Task<bool> acquireBmc(std::string) override {
    acquired += open ? 1 : 0;
    co_return open;
  }
  void releaseBmc(const std::string&) override { ++released; }
  bool open = false;
  int acquired = 0, released = 0;
};

}  // namespace ingot::tests
