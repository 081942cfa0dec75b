// The BMCs that a process speaks to.
#pragma once

#include "bmc/bmc.hpp"
#include "bmc/open_sessions.hpp"
#include "bmc/transports.hpp"

#include <map>

namespace ingot::bmc {

// Files of what is remembered over a restart; "": none.
struct RememberedFiles {
  std::string refusedLogins;                      // refused_logins.hpp
  std::string sessions;                           // open_sessions.hpp
  std::shared_ptr<base::Offload> disk = nullptr;  // writes them; nullptr: the loop does
};

class BmcPool {
 public:
  BmcPool(base::Runtime runtime, Transports transports, GovernorOptions options, const RememberedFiles& files = {});

  // Redfish or IPMI by the address's scheme. All hosts of one BMC share its turns, those of one account its session
  // too. Where the BMC repeats the password, errors and readings hold *** instead. Throws when the CA file cannot be
  // read.
  [[nodiscard]] std::unique_ptr<Driver> open(const Target& target);

  // Something was changed for the better: this BMC is worth a try at once.
  void closeCircuit(const Address& address) { traffics_.of(address)->answered(); }

 private:
  [[nodiscard]] std::shared_ptr<Bmc> find(const Target& target);

  base::Runtime runtime_;
  Transports transports_;
  TrafficPool traffics_;
  std::shared_ptr<OpenSessions> sessions_;
  std::multimap<std::string, std::weak_ptr<Bmc>> bmcs_;  // by everything but the password
  ExpiredSweep sweep_;
};

// For a BMC that nobody else speaks to.
[[nodiscard]] std::unique_ptr<Driver> openDriver(base::Runtime runtime, Transports transports, const Target& target);

}  // namespace ingot::bmc
