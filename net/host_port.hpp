// Where something listens, as flags say it.
#pragma once

#include <cstdint>
#include <string>

namespace ingot::net {

struct HostPort {
  std::string host;  // "": every address of the machine
  std::uint16_t port = 0;
};

// "127.0.0.1:80", "[::1]:0", "localhost:80", ":8080". Throws base::InvalidInput naming `flag`.
[[nodiscard]] HostPort parseHostPort(const std::string& flag, const std::string& text);

// An address of the loopback: only who is on this machine reaches it.
[[nodiscard]] bool isLoopback(const std::string& host);

}  // namespace ingot::net
