// What sensors raise of a host that its BMC leaves out of its judgement (docs/decisions/0039). Pure.
#pragma once

#include "base/clock.hpp"
#include "bmc/capability/sensors.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::agent {

class RaisedHealth {
 public:
  // What could not be read may be what was not well: that counts on, as long as it would without this reading.
  void note(const bmc::SensorReading& reading, base::MonoTime now, base::MonoTime until);

  // As far as it is believed.
  [[nodiscard]] bmc::Health worst(base::MonoTime now) const;

  // A reading is wanted, and has ended, well or not: it may have waited long for its turn, and what was raised before
  // grows no older meanwhile.
  void wait(base::MonoTime now) { waitsSince_ = now; }
  void goOn(base::MonoTime now);

 private:
  struct Raised {
    bmc::Health health = bmc::Health::unknown;
    base::MonoTime until{};  // it is believed so long
  };
  std::map<bmc::Health, base::MonoTime> until_;
  std::map<std::string, Raised> byPart_;  // while it is believed
  std::optional<base::MonoTime> waitsSince_;
};

}  // namespace ingot::agent
