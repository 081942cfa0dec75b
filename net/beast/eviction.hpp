// Which unauthenticated connection is closed so that a new one is accepted. A client that opens many connections and
// keeps them must not lock others out: the newest is always accepted, the oldest is evicted.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace ingot::net {

struct UnauthenticatedLimits {
  std::size_t total = 0;           // 0: no limit
  std::size_t fromOneNetwork = 0;  // 0: no limit
};

// `networks`: the network of each other unauthenticated connection, the oldest first. The oldest of the newcomer's own
// network is evicted when that network has reached its limit, else the oldest of all when the total has. nullopt: there
// is room.
[[nodiscard]] std::optional<std::size_t> connectionToEvict(std::span<const std::string> networks,
                                                           const std::string& newcomer,
                                                           const UnauthenticatedLimits& limits);

}  // namespace ingot::net
