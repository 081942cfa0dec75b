// A machine's own way into the network: while its system hangs, nothing leaves it, and then it goes on where it was.
#pragma once

#include "base/clock.hpp"
#include "net/client.hpp"

#include <functional>

namespace ingot::sim::kubelet {

class Wire final : public net::HttpTransport {
 public:
  // Both are lent, and outlive the clients.
  Wire(base::Clock& clock, net::HttpTransport& network, std::function<bool()> hangs)
      : clock_(clock), network_(network), hangs_(std::move(hangs)) {}

  [[nodiscard]] std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

 private:
  base::Clock& clock_;
  net::HttpTransport& network_;
  std::function<bool()> hangs_;
};

}  // namespace ingot::sim::kubelet
