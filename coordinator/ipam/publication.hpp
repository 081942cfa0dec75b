// What a pool shows of its addresses in status.indexes. etcd takes no request beyond 1.5 MiB, so that a large pool
// shows some of them: nobody allocates by what is shown, address objects alone count. A Kubernetes API server writes
// the name of each member of a map once more, into metadata.managedFields: what is shown counts with that.
#pragma once

#include "api/ipam/ip_pool.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace ingot::coordinator::ipam {

inline constexpr std::size_t kLargestPool = std::size_t{1400} << 10;  // with some room for what nobody counts

struct Publication {
  std::map<std::string, std::string> indexes;  // claim name → address
  std::size_t leftOut = 0;                     // claims
  std::size_t bytes = 0;                       // of the indexes
};

// What is left for the indexes in an object that also holds all the rest of the pool.
[[nodiscard]] std::size_t roomForIndexes(const api::ipam::IPPool& pool);

// The first claims by name, as many as fit into `limit` bytes of JSON.
[[nodiscard]] Publication publicationOf(std::map<std::string, std::string> indexes, std::size_t limit = kLargestPool);

}  // namespace ingot::coordinator::ipam
