// A BMC that speaks Redfish over HTTP(S), as one account sees it.
#pragma once

#include "bmc/bmc.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/event_feed.hpp"
#include "bmc/redfish/message_registry.hpp"

namespace ingot::bmc::redfish {

class RedfishBmc final : public Bmc {
 public:
  RedfishBmc(base::Runtime runtime, net::HttpTransport& transport, const Target& target,
             std::shared_ptr<Traffic> traffic, std::shared_ptr<OpenSessions> sessions, EventInbox* inbox);

  [[nodiscard]] Driver host(const Address& address) override;
  [[nodiscard]] Connection& connection() { return connection_; }
  [[nodiscard]] MessageRegistry& messages() { return messages_; }
  [[nodiscard]] EventFeed& events() { return events_; }

 private:
  base::Task<void> logOut() override;

  Connection connection_;
  MessageRegistry messages_;
  EventFeed events_;
};

}  // namespace ingot::bmc::redfish
