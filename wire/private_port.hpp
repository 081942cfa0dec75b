// A port of this machine's loopback that no other process gets a connection to, where the kernel lets us filter: it
// then drops every packet for it but those of the one address and port that this process is about to connect from and
// holds for itself. Some kernels let none but root do that.
#pragma once

#include <cstdint>
#include <string>

namespace ingot::wire {

class PrivatePort {
 public:
  PrivatePort();  // throws base::Error
  ~PrivatePort();
  PrivatePort(const PrivatePort&) = delete;
  PrivatePort& operator=(const PrivatePort&) = delete;

  // The listening socket, for who accepts; the receiver owns it. -1: errno says why.
  [[nodiscard]] int listening() const;
  [[nodiscard]] std::uint16_t port() const { return port_; }
  // False: whatever runs in this network namespace reaches it.
  [[nodiscard]] bool isPrivate() const { return isPrivate_; }

  // A non-blocking socket on its way to the port from this address of 127.0.0.0/8. One at a time: the one before is
  // through when its first byte has come. -1: errno says why.
  [[nodiscard]] int connectFrom(std::uint32_t address) const;
  void letNobodyIn() const;

 private:
  int fd_ = -1;
  bool isPrivate_ = false;
  std::uint16_t port_ = 0;
};

}  // namespace ingot::wire
