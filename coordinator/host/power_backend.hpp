// What a backend knows and does of a host's power.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "coordinator/host/progress.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::host {

enum class RebootMode { hard, soft };

// `force`: the user has already seen a power error of this host.
struct PowerOn {
  bool force = false;
  // The host was read as off at its BMC since the backend last acted on it: it is switched on whatever is remembered.
  bool despiteRecord = false;
};

struct PowerOff {
  RebootMode mode = RebootMode::hard;
  bool force = false;
};

class PowerBackend {
 public:
  virtual ~PowerBackend() = default;

  // nullopt: power is not known.
  [[nodiscard]] virtual base::Task<std::optional<bool>> poweredOn() = 0;
  // Both: Working while the power changes, Done when a reading proves it.
  [[nodiscard]] virtual base::Task<Progress> powerOn(PowerOn how) = 0;
  [[nodiscard]] virtual base::Task<Progress> powerOff(PowerOff how, std::string automatedCleaningMode) = 0;

  // Ends, or waits for the end of, what the backend is doing on a host that is on its way out, so that its power may be
  // changed by anybody. Done: nothing is in the way.
  [[nodiscard]] virtual base::Task<Progress> endWork(std::string automatedCleaningMode) {
    static_cast<void>(automatedCleaningMode);
    co_return Done{};
  }
  // What stands in the way of a power change that was asked for `waited` ago and has not come about, for people, with
  // what an operator can do. "": nothing, as far as is known.
  [[nodiscard]] virtual base::Task<std::string> obstacle(base::Duration waited) {
    static_cast<void>(waited);
    co_return "";
  }
  // The backend has lost the BMC.
  [[nodiscard]] virtual base::Task<bool> hasPowerFailure() = 0;
};

}  // namespace ingot::coordinator::host
