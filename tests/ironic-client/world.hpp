// The client and the double in one loop.
#pragma once

#include "ironic-client/client.hpp"
#include "net/loopback.hpp"
#include "tests/support/fake_ironic.hpp"
#include "tests/support/loop.hpp"

namespace ingot::tests {

struct IronicWorld {
  explicit IronicWorld(FakeIronicOptions options = {}) : ironic(loop.runtime, std::move(options)) {
    net.serve("http://ironic:6385", ironic);
  }

  [[nodiscard]] static ironic::Settings settings() {
    ironic::Settings out;
    out.endpoint = "http://ironic:6385/v1";
    return out;
  }

  Loop loop;
  net::Loopback net{loop.runtime};
  FakeIronic ironic;
  ironic::Client client{loop.runtime, net, settings()};
};

inline ironic::Error::Code codeOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const ironic::Error& error) {
    return error.code();
  }
  throw std::runtime_error("no ironic::Error was thrown");
}

}  // namespace ingot::tests
