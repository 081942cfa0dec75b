// HTTP whose changes leave only while this process leads, asked right before the first byte: a process that stood still
// must not carry out what it had decided while it still led. Ironic itself knows no leader and would obey, and
// Kubernetes refuses what carries an old resourceVersion, but creates whatever it is told.
#pragma once

#include "net/client.hpp"

#include <functional>
#include <memory>

namespace ingot::coordinator {

class LeaderTransport final : public net::HttpTransport {
 public:
  using Question = std::function<bool()>;
  // `below` and what `leading` looks at outlive the clients.
  LeaderTransport(net::HttpTransport& below, Question leading);

  // Anything but a read is refused with HttpError{unreachable} when another one may lead: it was not sent.
  [[nodiscard]] std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

 private:
  net::HttpTransport& below_;
  Question leading_;
};

}  // namespace ingot::coordinator
