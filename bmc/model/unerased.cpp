#include "bmc/model/unerased.hpp"

#include <algorithm>

namespace ingot::bmc {

std::string firstUnerased(const EraseOrder& order, const std::vector<DriveErasure>& drives) {
  const auto isDone = [&](const std::string& serial) {
    const bool mayStay = depthOf(order, serial) == EraseDepth::keep;
    return std::ranges::any_of(drives, [&](const auto& drive) {
      const auto state = parseErasureState(drive.state);
      return sameSerial(drive.serialNumber, serial) &&
             (state == ErasureState::erased || (mayStay && state == ErasureState::kept));
    });
  };
  for (const auto& serial : order.known)
    if (!isDone(serial)) return serial;
  for (const auto& drive : drives)
    if (!isDone(drive.serialNumber)) return drive.serialNumber;
  return {};
}

std::optional<CleaningStep> firstUntaken(const EraseOrder& order, const std::vector<StepRecord>& steps) {
  for (const auto step : order.steps)
    if (std::ranges::find(steps, toText(step), &StepRecord::step) == steps.end()) return step;
  return std::nullopt;
}

}  // namespace ingot::bmc
