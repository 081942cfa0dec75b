// What can be wrong with a BMC or its server, switched on and off while it runs.
#pragma once

#include "base/clock.hpp"
#include "json/enum.hpp"

#include <map>
#include <string>

namespace ingot::sim {

enum class Fault {
  refusePassword,  // every credential is refused
  serverErrors,    // every request is answered 500
  hang,            // requests are never answered
  slow,            // answers come late
  drop,            // connections break before the answer
  ignoreReset,     // resets are accepted and nothing happens
  liePower,        // the opposite of the truth is reported
  expireSessions,  // every session is forgotten, again at each request while on
  sessionLimit,    // no session can be opened
  cordOut,         // no input power: the server is dead, the BMC lives
  fragile,         // the BMC dies when it is asked more than twice in a second, until the fault is switched off
  oversize,        // answers are padded with megabytes
  drip,            // they come byte by byte
  garbage,         // they break off in the middle of a word, and are no UTF-8
  leak,            // its cooling leaks, as its leak detector tells
  osHang,  // the power is on and the BMC lives; the system on the disk does nothing, nor what a button asks of it
};
constexpr auto namesOf(Fault) {
  return std::to_array<json::EnumName<Fault>>({{Fault::refusePassword, "refuse-password"},
                                               {Fault::serverErrors, "500"},
                                               {Fault::hang, "hang"},
                                               {Fault::slow, "slow"},
                                               {Fault::drop, "drop"},
                                               {Fault::ignoreReset, "ignore-reset"},
                                               {Fault::liePower, "lie-power"},
                                               {Fault::expireSessions, "expire-sessions"},
                                               {Fault::sessionLimit, "session-limit"},
                                               {Fault::cordOut, "cord-out"},
                                               {Fault::fragile, "fragile"},
                                               {Fault::oversize, "oversize"},
                                               {Fault::drip, "drip"},
                                               {Fault::garbage, "garbage"},
                                               {Fault::leak, "leak"},
                                               {Fault::osHang, "os-hang"}});
}

class Faults {
 public:
  void set(Fault fault, bool on) {
    on ? void(bits_ |= bit(fault)) : void(bits_ &= ~bit(fault));
    if (fault == Fault::fragile) hasDied = false;
  }
  [[nodiscard]] bool has(Fault fault) const { return (bits_ & bit(fault)) != 0; }
  [[nodiscard]] bool any() const { return bits_ != 0; }

  base::Duration slowness = std::chrono::seconds(5);  // of Fault::slow
  bool hasDied = false;                               // of Fault::fragile

 private:
  static unsigned bit(Fault fault) { return 1u << static_cast<unsigned>(fault); }
  unsigned bits_ = 0;
};

}  // namespace ingot::sim
