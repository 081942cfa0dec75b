#include "net/beast/eviction.hpp"

#include <algorithm>

namespace ingot::net {

std::optional<std::size_t> connectionToEvict(std::span<const std::string> networks, const std::string& newcomer,
                                             const UnauthenticatedLimits& limits) {
  const auto own = static_cast<std::size_t>(std::ranges::count(networks, newcomer));
  if (limits.fromOneNetwork > 0 && own >= limits.fromOneNetwork)
    return static_cast<std::size_t>(std::ranges::find(networks, newcomer) - networks.begin());
  if (limits.total > 0 && networks.size() >= limits.total) return 0;
  return std::nullopt;
}

}  // namespace ingot::net
