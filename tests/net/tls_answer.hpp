// A server of OpenSSL's own, on a thread: it answers one request, with what our server would never show a client.
#pragma once

#include "net/openssl.hpp"

#include <cstdint>
#include <string>
#include <thread>

namespace ingot::tests {

class TlsAnswer {
 public:
  explicit TlsAnswer(net::openssl::Context context);
  ~TlsAnswer();  // waits for a client
  TlsAnswer(const TlsAnswer&) = delete;
  TlsAnswer& operator=(const TlsAnswer&) = delete;

  [[nodiscard]] std::string url() const;

 private:
  void serve();

  net::openssl::Context context_;
  int listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace ingot::tests
