// What a BMC pushes by server-sent events (spec/bmc.md §13.2). BMCs have few streams (bmcweb: ten), so one serves all
// hosts of a BMC.
#pragma once

#include "base/sync.hpp"
#include "bmc/driver.hpp"
#include "bmc/redfish/connection.hpp"

#include <list>

namespace ingot::bmc::redfish {

class EventFeed {
 public:
  // `connection` outlives this.
  EventFeed(base::Runtime runtime, Connection& connection);

  // See Driver::followEvents. Whoever comes while the stream is open is told of it at once; when the stream ends all
  // of them return, and the next one to come opens it again.
  [[nodiscard]] base::Task<void> follow(Lane lane, OnEvent onEvent);

 private:
  class Follower;
  class Opening;
  [[nodiscard]] base::Task<void> read(Lane lane);
  [[nodiscard]] base::Task<std::string> streamPath(Lane lane);
  void tell(EventNews news);

  base::Runtime runtime_;
  Connection& connection_;
  std::list<OnEvent> followers_;
  bool isTaken_ = false;  // somebody opens the stream, or reads it
  bool isOpen_ = false;
  base::Notifier ended_;
};

}  // namespace ingot::bmc::redfish
