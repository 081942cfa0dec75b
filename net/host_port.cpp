#include "net/host_port.hpp"

#include "base/error.hpp"
#include "base/ip_address.hpp"

#include <charconv>

namespace ingot::net {

HostPort parseHostPort(const std::string& flag, const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) throw base::InvalidInput(flag, "\"" + text + "\" is not host:port");
  HostPort address{.host = text.substr(0, colon)};
  if (address.host == "localhost") address.host = "127.0.0.1";
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  const char* first = text.data() + colon + 1;
  const char* last = text.data() + text.size();
  const auto [end, failed] = std::from_chars(first, last, address.port);
  if (failed != std::errc{} || end != last) throw base::InvalidInput(flag, "\"" + text + "\" has no usable port");
  return address;
}

bool isLoopback(const std::string& host) {
  static const auto loopback = base::IpPrefix::parse("127.0.0.0/8");
  const auto address = base::IpAddress::parse(host);
  return address && (loopback->contains(*address) || address == base::IpAddress::parse("::1"));
}

}  // namespace ingot::net
