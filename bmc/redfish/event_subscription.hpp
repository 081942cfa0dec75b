// The subscription by which a BMC pushes its events to our inbox (spec/bmc.md §13.2, docs/decisions/0026).
#pragma once

#include "bmc/event_inbox.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/event_resources.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::bmc::redfish {

// What an EventService says that a subscription hangs on.
struct EventOffer {
  std::string subscriptions;            // path of the collection; "": it has none
  std::vector<std::string> eventTypes;  // EventTypesForSubscription; empty: it does not say
  std::vector<std::string> formats;     // EventFormatTypes; likewise
};

// The bodies of the request, in the order in which they are tried: the next one where a service answers 400. Pure.
[[nodiscard]] std::vector<json::Object> subscriptionBodies(const EventOffer& offer, const std::string& destination,
                                                           bool verifies);

class EventSubscription {
 public:
  // `connection` and `inbox` outlive this.
  EventSubscription(Connection& connection, EventInbox& inbox, std::string bmc);

  // As EventInbox::listen(), for what this BMC pushes.
  [[nodiscard]] std::shared_ptr<void> listen(EventInbox::OnBody onBody) {
    return inbox_.listen(bmc_, std::move(onBody));
  }
  // The BMC pushes to our URL afterwards, once; subscriptions that an agent at this address left are gone. True: it did
  // not before. Throws Error: `unsupported` where the BMC takes none, `busy` where it has no room.
  [[nodiscard]] base::Task<bool> ensure(Lane lane);
  // Its path, which is the caller's to delete now; "": not known, or it may be another's by now: a BMC that starts anew
  // forgets sessions, and gives the numbers of its subscriptions again.
  [[nodiscard]] std::string take();

 private:
  [[nodiscard]] bool isOurs(const EventDestination& found) const;
  void note(std::string path);
  [[nodiscard]] base::Task<bool> stands(Lane lane);
  [[nodiscard]] base::Task<EventOffer> offer(Lane lane);
  [[nodiscard]] base::Task<bool> findOurs(Lane lane, std::string collection);
  [[nodiscard]] base::Task<void> create(Lane lane, EventOffer offer);

  Connection& connection_;
  EventInbox& inbox_;
  std::string bmc_, url_, context_;
  std::string path_;           // of the subscription; "": not known
  std::uint64_t session_ = 0;  // in which it was ours (Connection::session)
};

}  // namespace ingot::bmc::redfish
