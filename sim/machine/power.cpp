#include "sim/machine/power.hpp"

namespace ingot::sim {

std::vector<PowerStep> planReset(Reset reset, bool on, const TimingSpec& timing) {
  using std::chrono::milliseconds;
  const PowerStep up{milliseconds(timing.powerOn), true};
  const PowerStep down{milliseconds(timing.powerOff), false};
  const PowerStep shutDown{milliseconds(timing.softOff), false};

  switch (reset) {
    case Reset::on:
    case Reset::forceOn: return on ? std::vector<PowerStep>{} : std::vector{up};
    case Reset::forceOff: return on ? std::vector{down} : std::vector<PowerStep>{};
    case Reset::gracefulShutdown: return on ? std::vector{shutDown} : std::vector<PowerStep>{};
    case Reset::gracefulRestart: return on ? std::vector{shutDown, up} : std::vector<PowerStep>{};
    case Reset::forceRestart:
    case Reset::powerCycle: return on ? std::vector{down, up} : std::vector{up};
    case Reset::pushPowerButton: return on ? std::vector{shutDown} : std::vector{up};
    case Reset::nmi:
    case Reset::fullPowerCycle: return {};
  }
  return {};
}

bool asksTheSystem(Reset reset, bool on) {
  switch (reset) {
    case Reset::gracefulShutdown:
    case Reset::gracefulRestart:
    case Reset::pushPowerButton: return on;
    case Reset::on:
    case Reset::forceOn:
    case Reset::forceOff:
    case Reset::forceRestart:
    case Reset::powerCycle:
    case Reset::nmi:
    case Reset::fullPowerCycle: return false;
  }
  return false;
}

}  // namespace ingot::sim
