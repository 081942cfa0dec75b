// What is done when the drives of a host are erased (spec/bmc.md §18), and who says that it is still to be done.
#pragma once

#include "bmc/drive_erasure.hpp"

namespace ingot::bmc {

[[nodiscard]] inline Error noLongerOrdered() { return {Error::Code::busy, "no more was to be done"}; }
[[nodiscard]] inline bool mayBegin(const ErasureTools& tools) { return !tools.mayBegin || tools.mayBegin(); }
[[nodiscard]] base::Task<bool> isConfirmed(const ErasureTools& tools);

// Keeps the record. What has happened has happened: where it cannot be, why is returned, and who keeps it says so;
// nullptr: it is kept.
[[nodiscard]] base::Task<std::exception_ptr> trySave(const ErasureTools& tools);

// Takes the steps of the order that `record` does not tell of, and records each. One that is not done within ten
// minutes, however often it is tried, has failed; a request that changes something is not cut off by that. Throws
// noLongerOrdered(), or Error{notPermitted}. Tools and record outlive it.
[[nodiscard]] base::Task<void> takeSteps(const ErasureTools& tools, EraseOrder order, ErasureRecord& record);

}  // namespace ingot::bmc
