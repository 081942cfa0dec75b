// What a BMC can be asked for when a host is given back, beside the erasure of its drives (spec/bmc.md §18).
#pragma once

#include "base/clock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::bmc {

enum class CleaningStep {
  clearLogs,       // the logs of its hardware, which tell of whoever had it before
  closeSessions,   // of our account, but for the one in use
  resetBootOrder,  // the entries that operating systems have left
};
[[nodiscard]] std::string_view toText(CleaningStep step);  // "clear-sel", "clear-sessions", "reset-boot-order"
[[nodiscard]] std::optional<CleaningStep> parseCleaningStep(std::string_view text);

enum class StepOutcome { done, skipped, failed };
[[nodiscard]] std::string_view toText(StepOutcome outcome);

// What became of one.
struct StepRecord {
  std::string step, outcome;  // toText() of both
  std::string detail;         // for people
  std::optional<base::WallTime> endedAt;

  static void describe(auto& v) {
    v.field("step", &StepRecord::step);
    v.field("outcome", &StepRecord::outcome);
    v.field("detail", &StepRecord::detail);
    v.field("endedAt", &StepRecord::endedAt);
  }
  friend bool operator==(const StepRecord&, const StepRecord&) = default;
};

}  // namespace ingot::bmc
