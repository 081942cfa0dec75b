// Of an inventory, so much is kept as a machine can have: an agent of ours sends no long texts and lists.
#pragma once

#include "bmc/model/inventory.hpp"

namespace ingot::coordinator::agents {

constexpr std::size_t longestText = 256;  // bytes, of what a BMC says of a part

void bound(bmc::Inventory& inventory);

}  // namespace ingot::coordinator::agents
