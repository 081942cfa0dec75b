// A BMC that speaks Redfish over HTTP(S), as one account sees it. What is the same for all of its hosts is read once,
// whichever of them asks.
#pragma once

#include "bmc/bmc.hpp"
#include "bmc/kept_reading.hpp"
#include "bmc/quirks.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/event_feed.hpp"

namespace ingot::bmc::redfish {

class RedfishBmc final : public Bmc {
 public:
  RedfishBmc(base::Runtime runtime, net::HttpTransport& transport, const Target& target,
             std::shared_ptr<Traffic> traffic, std::shared_ptr<OpenSessions> sessions, EventInbox* inbox);

  [[nodiscard]] Driver host(const Address& address) override;
  [[nodiscard]] Connection& connection() { return connection_; }
  [[nodiscard]] EventFeed& events() { return events_; }

  // Paths of all systems behind it.
  [[nodiscard]] base::Task<std::vector<std::string>> systems(Lane lane);

  // Whose BMC it is that this system is behind, and what is done otherwise for that; asked anew, but for what somebody
  // has just asked its manager.
  struct Kind {
    Product product;
    Quirks quirks;
  };
  [[nodiscard]] base::Task<Kind> kind(Lane lane, std::string systemPath, System system);
  // The same quirks, as long as they are known; nullopt: ask kind().
  [[nodiscard]] std::optional<Quirks> knownQuirks(const std::string& systemPath) const;

  // How far its clock is ahead of ours, as a manager told last; nullopt: none has.
  [[nodiscard]] std::optional<std::chrono::seconds> clockAhead() const { return clockAhead_; }

 private:
  base::Task<void> logOut() override;
  [[nodiscard]] base::Task<Manager> manager(Lane lane, std::string path);
  [[nodiscard]] base::Task<Manager> readManager(Lane lane, std::string path);
  void noteClock(const std::string& told, base::MonoTime asked);

  struct KnownQuirks {
    Quirks quirks;
    base::MonoTime until{};
  };

  std::string baseUrl_;
  Connection connection_;
  EventFeed events_;
  std::map<std::string, std::shared_ptr<KeptReading<Manager>>> managers_;  // by path
  std::map<std::string, KnownQuirks> quirks_;                              // by path of the system
  std::optional<std::chrono::seconds> clockAhead_;
};

}  // namespace ingot::bmc::redfish
