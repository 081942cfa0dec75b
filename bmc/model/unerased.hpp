// What an order asks against what became of it.
#pragma once

#include "bmc/model/erasure.hpp"

#include <string>
#include <vector>

namespace ingot::bmc {

// Serial number of a drive with which this order is not done: it was to be erased, or may stay and nothing says that it
// did. "": there is none.
[[nodiscard]] std::string firstUnerased(const EraseOrder& order, const std::vector<DriveErasure>& drives);

// A step of the order that nobody has tried to take; nullopt: there is none.
[[nodiscard]] std::optional<CleaningStep> firstUntaken(const EraseOrder& order, const std::vector<StepRecord>& steps);

}  // namespace ingot::bmc
