// A listening socket on the loop.
#pragma once

#include "base/task.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <string>

namespace ingot::net {

struct Accepted {
  int fd = -1;    // non-blocking, close-on-exec; the receiver owns it
  int error = 0;  // errno when there is no connection: the listener still works
  std::string remote, local;
  std::string network;  // that the client is in: an IPv4 address, a /64 of IPv6
};

class Listener {
 public:
  // Throws base::Error naming the address.
  Listener(const base::Executor& executor, const std::string& address, std::uint16_t port);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  // Throws Cancelled.
  [[nodiscard]] base::Task<Accepted> accept();
  void close();

 private:
  boost::asio::posix::stream_descriptor descriptor_;
  std::uint16_t port_ = 0;
};

}  // namespace ingot::net
