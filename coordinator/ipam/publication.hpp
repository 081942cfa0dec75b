// What a pool shows of its addresses in status.indexes: at most 1 MiB of JSON, and no more than the object has room
// for. etcd takes no request beyond 1.5 MiB, and a Kubernetes API server writes the name of each member of a map once
// more, into metadata.managedFields: room counts with that. So a large pool shows some of its addresses; nobody
// allocates by what is shown, address objects alone count.
#pragma once

#include "api/ipam/ip_pool.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace ingot::coordinator::ipam {

inline constexpr std::size_t kLargestIndexes = std::size_t{1} << 20;  // status.indexes as JSON
inline constexpr std::size_t kLargestPool = std::size_t{1400} << 10;  // with some room for what nobody counts

struct Publication {
  std::map<std::string, std::string> indexes;  // claim name → address
  std::size_t leftOut = 0;                     // claims
  std::size_t bytes = 0;                       // of the indexes, with what managedFields say of them
};

// What is left for the indexes in an object that also holds all the rest of the pool.
[[nodiscard]] std::size_t roomForIndexes(const api::ipam::IPPool& pool);

// The first claims by name, as many as fit into `limit` bytes of the object, and into kLargestIndexes.
[[nodiscard]] Publication publicationOf(std::map<std::string, std::string> indexes, std::size_t limit = kLargestPool);

}  // namespace ingot::coordinator::ipam
