#include "net/certificates.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

namespace ingot::net {
namespace {

constexpr std::size_t kMost = 64;  // a machine with hundreds of container bridges has better names in a flag

std::string textOf(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET) {
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
  } else if (address->sa_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    if (!IN6_IS_ADDR_LINKLOCAL(&six)) ::inet_ntop(AF_INET6, &six, text, sizeof text);
  }
  return text;
}

bool counts(const ifaddrs& entry) {
  return entry.ifa_addr && (entry.ifa_flags & IFF_UP) != 0 && (entry.ifa_flags & IFF_LOOPBACK) == 0;
}

}  // namespace

std::vector<std::string> machineNames() {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (!name.empty() && names.size() < kMost && std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  };
  char host[256] = "";
  if (::gethostname(host, sizeof host - 1) == 0) add(host);
  ifaddrs* found = nullptr;
  if (::getifaddrs(&found) != 0) return names;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(found, ::freeifaddrs);
  for (const ifaddrs* at = all.get(); at; at = at->ifa_next)
    if (counts(*at)) add(textOf(at->ifa_addr));
  return names;
}

}  // namespace ingot::net
