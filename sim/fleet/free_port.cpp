#include "sim/fleet/free_port.hpp"

#include "base/error.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ingot::sim {

int freeUdpPort(const std::string& address) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  if (::inet_pton(AF_INET, address.c_str(), &where.sin_addr) != 1) throw base::Error(address + " is no IPv4 address");
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  socklen_t length = sizeof where;
  const bool bound = fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&where), length) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&where), &length) == 0;
  if (fd >= 0) ::close(fd);
  if (!bound) throw base::Error("no free UDP port on " + address);
  return ntohs(where.sin_port);
}

}  // namespace ingot::sim
