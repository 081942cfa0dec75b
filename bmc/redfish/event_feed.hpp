// What a BMC pushes (spec/bmc.md §13.2): to our inbox, where there is one, else by server-sent events. BMCs have few
// streams (bmcweb: ten), so one serves all hosts that an account looks after.
#pragma once

#include "base/sync.hpp"
#include "bmc/capability/events.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/event_subscription.hpp"

#include <list>

namespace ingot::bmc::redfish {

class EventFeed {
 public:
  // `connection` and `inbox` (nullptr: there is none) outlive this. `bmc` names it among others.
  EventFeed(base::Runtime runtime, Connection& connection, EventInbox* inbox, std::string bmc);

  // See EventSource::followEvents. What a BMC does not have or has refused is told again for a while without asking.
  // Whoever comes while the stream is open is told of it at once. All of them return when it ends, and throw what its
  // opening threw; when only the one who reads it goes, another one opens it anew.
  [[nodiscard]] base::Task<base::Duration> follow(Lane lane, OnEvent onEvent);
  // The path of our subscription, which is the caller's to delete now; "": there is none.
  [[nodiscard]] std::string takeSubscription();

 private:
  class Follower;
  class Opening;
  struct End {
    base::Duration stood{};
    std::exception_ptr failure = {};
  };
  [[nodiscard]] base::Task<base::Duration> read(Lane lane);
  [[nodiscard]] base::Task<base::Duration> readStream(Lane lane);
  [[nodiscard]] base::Task<void> takePushed(Lane lane);
  [[nodiscard]] base::Task<std::string> streamPath(Lane lane);
  [[nodiscard]] base::Duration believedQuiet();
  void tell(EventNews news);

  base::Runtime runtime_;
  Connection& connection_;
  std::optional<EventSubscription> subscription_;  // where there is an inbox
  std::list<OnEvent> followers_;
  bool isTaken_ = false;  // somebody opens the stream, or reads it
  bool isOpen_ = false;
  std::optional<End> end_;         // of the last stream; nullopt: its reader went away
  base::MonoTime refusedUntil_{};  // the BMC is not asked again before
  base::Notifier ended_;
};

}  // namespace ingot::bmc::redfish
