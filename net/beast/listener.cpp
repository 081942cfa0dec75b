#include "net/beast/listener.hpp"

#include "base/error.hpp"
#include "base/parking.hpp"
#include "base/text.hpp"

#include <boost/asio/redirect_error.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace asio = boost::asio;

namespace ingot::net {
namespace {

constexpr int kBacklog = 511;

union SocketAddress {
  sockaddr any;
  sockaddr_in four;
  sockaddr_in6 six;
};

std::uint16_t portOf(const SocketAddress& a) {
  return ntohs(a.any.sa_family == AF_INET6 ? a.six.sin6_port : a.four.sin_port);
}

std::string textOf(const in_addr& a) {
  char text[INET_ADDRSTRLEN] = "?";
  ::inet_ntop(AF_INET, &a, text, sizeof text);
  return text;
}

std::string textOf(const SocketAddress& a) {
  char text[INET6_ADDRSTRLEN] = "?";
  const bool six = a.any.sa_family == AF_INET6;
  ::inet_ntop(a.any.sa_family, six ? static_cast<const void*>(&a.six.sin6_addr) : &a.four.sin_addr, text, sizeof text);
  return base::hostAndPort(text, portOf(a));
}

// One machine may have all addresses of a /64.
std::string networkOf(const SocketAddress& a) {
  if (a.any.sa_family != AF_INET6) return textOf(a.four.sin_addr);
  in6_addr address = a.six.sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    in_addr four{};
    std::memcpy(&four, address.s6_addr + 12, sizeof four);
    return textOf(four);
  }
  std::fill(address.s6_addr + 8, address.s6_addr + 16, std::uint8_t{0});
  char text[INET6_ADDRSTRLEN] = "?";
  ::inet_ntop(AF_INET6, &address, text, sizeof text);
  return std::string(text) + "/64";
}

SocketAddress parse(const std::string& text, std::uint16_t port) {
  SocketAddress address{};
  if (::inet_pton(AF_INET, text.c_str(), &address.four.sin_addr) == 1) {
    address.four.sin_family = AF_INET;
    address.four.sin_port = htons(port);
  } else if (::inet_pton(AF_INET6, text.c_str(), &address.six.sin6_addr) == 1) {
    address.six.sin6_family = AF_INET6;
    address.six.sin6_port = htons(port);
  } else {
    throw base::Error("cannot listen on '" + text + "': not an IP address");
  }
  return address;
}

[[noreturn]] void fail(int fd, const std::string& address) {
  const int why = errno;
  if (fd >= 0) ::close(fd);
  throw base::Error("cannot listen on " + address + ": " + std::strerror(why));
}

std::string ownAddress(int fd) {
  SocketAddress own{};
  socklen_t size = sizeof own;
  return ::getsockname(fd, &own.any, &size) == 0 ? textOf(own) : "?";
}

}  // namespace

Listener::Listener(const base::Executor& executor, const std::string& address, std::uint16_t port)
    : descriptor_(executor) {
  auto wanted = parse(address, port);
  const int fd = ::socket(wanted.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) fail(fd, textOf(wanted));
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  socklen_t size = wanted.any.sa_family == AF_INET6 ? sizeof wanted.six : sizeof wanted.four;
  if (::bind(fd, &wanted.any, size) != 0 || ::listen(fd, kBacklog) != 0) fail(fd, textOf(wanted));
  ::getsockname(fd, &wanted.any, &size);
  port_ = portOf(wanted);
  descriptor_.assign(fd);
}

base::Task<Accepted> Listener::accept() {
  while (true) {
    base::throwIfCancelled(co_await asio::this_coro::cancellation_state);
    SocketAddress from{};
    socklen_t size = sizeof from;
    const int fd = ::accept4(descriptor_.native_handle(), &from.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      const int on = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
      co_return Accepted{.fd = fd, .remote = textOf(from), .local = ownAddress(fd), .network = networkOf(from)};
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno != EAGAIN) co_return Accepted{.error = errno};
    boost::system::error_code error;
    co_await descriptor_.async_wait(asio::posix::stream_descriptor::wait_read,
                                    asio::redirect_error(asio::use_awaitable, error));
    if (error) throw base::Cancelled();
  }
}

void Listener::close() {
  boost::system::error_code ignored;
  descriptor_.close(ignored);
}

}  // namespace ingot::net
