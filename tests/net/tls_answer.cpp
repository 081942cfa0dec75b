#include "tests/net/tls_answer.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string_view>

namespace ingot::tests {

TlsAnswer::TlsAnswer(net::openssl::Context context)
    : context_(std::move(context)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&at), size) == 0);
  REQUIRE(::listen(listener_, 1) == 0);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
  port_ = ntohs(at.sin_port);
  thread_ = std::thread([this] { serve(); });
}

TlsAnswer::~TlsAnswer() {
  thread_.join();
  ::close(listener_);
}

std::string TlsAnswer::url() const { return fmt::format("https://127.0.0.1:{}", port_); }

void TlsAnswer::serve() {
  const int fd = ::accept(listener_, nullptr, nullptr);
  const net::openssl::Connection connection(SSL_new(context_.get()));
  SSL_set_fd(connection.get(), fd);
  char heard[4096];
  constexpr std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  if (SSL_accept(connection.get()) == 1 && SSL_read(connection.get(), heard, sizeof heard) > 0) {
    SSL_write(connection.get(), answer.data(), static_cast<int>(answer.size()));
    SSL_shutdown(connection.get());
  }
  ::close(fd);
}

}  // namespace ingot::tests
