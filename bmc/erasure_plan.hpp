// What an order to erase makes of the drives that a BMC shows now. Pure.
#pragma once

#include "bmc/erasure_record.hpp"
#include "bmc/model/erasure.hpp"

#include <vector>

namespace ingot::bmc {

// Enters into `record` each drive that is to be erased or kept. What has been begun is gone on with, whatever the drive
// looks like meanwhile. Throws Error:
//   busy     not all that the order knows are shown
//   refused  one cannot be erased as it is ordered
void enterPlan(EraseOrder order, std::vector<ErasableDrive> shown, ErasureRecord& record);

}  // namespace ingot::bmc
