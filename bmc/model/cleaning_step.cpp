#include "bmc/model/cleaning_step.hpp"

#include <array>

namespace ingot::bmc {

namespace {

struct StepName {
  CleaningStep step;
  std::string_view name;
};
constexpr std::array stepNames{StepName{CleaningStep::clearLogs, "clear-sel"},
                               StepName{CleaningStep::closeSessions, "clear-sessions"},
                               StepName{CleaningStep::resetBootOrder, "reset-boot-order"}};

}  // namespace

std::string_view toText(CleaningStep step) {
  for (const auto& row : stepNames)
    if (row.step == step) return row.name;
  return {};
}

std::optional<CleaningStep> parseCleaningStep(std::string_view text) {
  for (const auto& row : stepNames)
    if (row.name == text) return row.step;
  return std::nullopt;
}

std::string_view toText(StepOutcome outcome) {
  switch (outcome) {
    case StepOutcome::done: return "done";
    case StepOutcome::skipped: return "skipped";
    case StepOutcome::failed: return "failed";
  }
  return "failed";
}

}  // namespace ingot::bmc
