// What the connections of one cache share.
#pragma once

#include "coordinator/workload/options.hpp"
#include "coordinator/workload/pace_shares.hpp"
#include "coordinator/workload/shared_room.hpp"

#include <memory>
#include <string>

namespace ingot::coordinator::workload {

struct Shares {
  explicit Shares(const ClusterCacheOptions& options)
      : pace(std::make_shared<PaceShares>(options.bytesPerSecondOfAll)),
        room(std::make_shared<SharedRoom>(options.mostNodeBytesOfAll)) {}

  // Held by who needs it: a call may outlast its connection.
  std::shared_ptr<PaceShares> pace;
  std::shared_ptr<SharedRoom> room;
};

}  // namespace ingot::coordinator::workload
