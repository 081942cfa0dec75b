#include "wire/private_port.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace ingot::wire {

namespace {

constexpr int backlog = 64;
constexpr int kernelBuffer = 64 << 10;  // bytes; a bound of what waits between the two ends

sockaddr_in addressOf(std::uint32_t address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_addr.s_addr = htonl(address);
  result.sin_port = htons(port);
  return result;
}

int newSocket() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return fd;
  ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &kernelBuffer, sizeof kernelBuffer);
  ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kernelBuffer, sizeof kernelBuffer);
  return fd;
}

bool bindTo(int fd, sockaddr_in& address) {
  socklen_t size = sizeof address;
  return ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
         ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
}

// Packets of others find no port. A filter sees the TCP header first; what it lets in keeps it for its own packets.
bool letIn(int fd, std::uint32_t address, std::uint16_t port) {
  constexpr auto sourceOfIp = static_cast<std::uint32_t>(SKF_NET_OFF + 12);
  std::array<sock_filter, 6> program{
      {BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, port, 0, 3),
       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, sourceOfIp), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, address, 0, 1),
       BPF_STMT(BPF_RET | BPF_K, 0xffffffff), BPF_STMT(BPF_RET | BPF_K, 0)}};
  const sock_fprog filter{.len = program.size(), .filter = program.data()};
  return ::setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0;
}

int closed(int fd) {
  const int why = errno;
  if (fd >= 0) ::close(fd);
  errno = why;
  return -1;
}

}  // namespace

PrivatePort::PrivatePort() : fd_(newSocket()) {
  auto own = addressOf(INADDR_LOOPBACK, 0);
  isPrivate_ = fd_ >= 0 && letIn(fd_, 0, 0);
  if (fd_ >= 0 && bindTo(fd_, own) && ::listen(fd_, backlog) == 0) {
    port_ = ntohs(own.sin_port);
    return;
  }
  closed(fd_);
  throw base::Error(std::string("no port of the loopback: ") + std::strerror(errno));
}

PrivatePort::~PrivatePort() { ::close(fd_); }

int PrivatePort::listening() const { return ::fcntl(fd_, F_DUPFD_CLOEXEC, 0); }

int PrivatePort::connectFrom(std::uint32_t address) const {
  const int fd = newSocket();
  auto own = addressOf(address, 0);
  if (fd < 0 || !bindTo(fd, own)) return closed(fd);
  if (isPrivate_ && !letIn(fd_, address, ntohs(own.sin_port))) return closed(fd);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto target = addressOf(INADDR_LOOPBACK, port_);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&target), sizeof target) != 0 && errno != EINPROGRESS)
    return closed(fd);
  return fd;
}

void PrivatePort::letNobodyIn() const {
  if (isPrivate_) letIn(fd_, 0, 0);
}

}  // namespace ingot::wire
