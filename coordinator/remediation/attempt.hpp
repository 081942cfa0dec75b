// The attempts of a Metal3Remediation and how long each may take (spec/capm3.md §18.2-§18.4). Pure.
#pragma once

#include "api/capi/machine.hpp"
#include "api/capm3/v1beta2/remediation.hpp"
#include "base/clock.hpp"

#include <cstdint>
#include <string_view>

namespace ingot::coordinator::remediation {

using api::capi::Machine;
using api::capm3::v1beta2::Metal3Remediation;

namespace phase {
inline constexpr std::string_view running = "Running", waiting = "Waiting", deletingMachine = "Deleting machine",
                                  failed = "Failed";
}

// The host is to be restarted: the only strategy there is.
[[nodiscard]] bool isReboot(const Metal3Remediation& remediation);

// An attempt is under way: Running or Waiting.
[[nodiscard]] bool isUnderWay(const Metal3Remediation& remediation);

// How long an attempt may take.
[[nodiscard]] base::Duration timeOf(const Metal3Remediation& remediation);

// What is left of the time of this attempt, which spans power-off, fencing and power-on together. `spent`: by a
// monotonic clock, as a wall clock that is set would hand machines over, or never. lastRemediated only shows when.
[[nodiscard]] base::Duration timeLeft(const Metal3Remediation& remediation, base::Duration spent);

// Its time was over less than `grace` ago, or is not over.
[[nodiscard]] bool isWithin(const Metal3Remediation& remediation, base::Duration grace, base::Duration spent);

enum class Verdict : std::uint8_t {
  goOn,
  tryAgain,  // its time is over
  giveUp,    // and there is none left: retryLimit + 1 attempts are made [Q24]
};
// A machine that is healthy is neither restarted again nor given up: whoever asked takes the remediation away.
[[nodiscard]] Verdict judge(const Metal3Remediation& remediation, const Machine& machine, base::Duration spent);

// The health check has seen it well, in either dialect.
[[nodiscard]] bool isHealthy(const Machine& machine);

void begin(Metal3Remediation& remediation, base::WallTime now);
void beginAgain(Metal3Remediation& remediation, base::WallTime now);
// The attempt's whole time begins at `now`, as people read it.
void showBegin(Metal3Remediation& remediation, base::WallTime now);

}  // namespace ingot::coordinator::remediation
