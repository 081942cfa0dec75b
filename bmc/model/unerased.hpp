// What an order asks of drives against what became of them.
#pragma once

#include "bmc/model/erasure.hpp"

#include <string>
#include <vector>

namespace ingot::bmc {

// Serial number of a drive with which this order is not done: it was to be erased, or may stay and nothing says that it
// did. "": there is none.
[[nodiscard]] std::string firstUnerased(const EraseOrder& order, const std::vector<DriveErasure>& drives);

}  // namespace ingot::bmc
