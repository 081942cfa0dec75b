// What a reset request does to a server's power, as a plan of delayed steps.
#pragma once

#include "json/enum.hpp"
#include "sim/machine/spec.hpp"

#include <chrono>
#include <vector>

namespace ingot::sim {

// Names as Redfish has them.
enum class Reset {
  on,
  forceOn,
  forceOff,
  gracefulShutdown,
  gracefulRestart,
  forceRestart,
  powerCycle,
  pushPowerButton,
  nmi,
  fullPowerCycle
};
constexpr auto namesOf(Reset) {
  return std::to_array<json::EnumName<Reset>>({{Reset::on, "On"},
                                               {Reset::forceOn, "ForceOn"},
                                               {Reset::forceOff, "ForceOff"},
                                               {Reset::gracefulShutdown, "GracefulShutdown"},
                                               {Reset::gracefulRestart, "GracefulRestart"},
                                               {Reset::forceRestart, "ForceRestart"},
                                               {Reset::powerCycle, "PowerCycle"},
                                               {Reset::pushPowerButton, "PushPowerButton"},
                                               {Reset::nmi, "Nmi"},
                                               {Reset::fullPowerCycle, "FullPowerCycle"}});
}

struct PowerStep {
  std::chrono::milliseconds after;
  bool on;
};

// Empty when the request changes nothing by itself (On while on, off while off, Nmi, FullPowerCycle). A restart is off,
// then on.
[[nodiscard]] std::vector<PowerStep> planReset(Reset reset, bool on, const TimingSpec& timing);

// The running system is asked to do it, and one that hangs does not; what remains the hardware does by itself.
[[nodiscard]] bool asksTheSystem(Reset reset, bool on);

}  // namespace ingot::sim
