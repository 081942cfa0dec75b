// The drives of one host erased, from the first look at them to the last (spec/bmc.md §12.4, §18;
// docs/decisions/0022).
#pragma once

#include "bmc/capability/cleaning.hpp"
#include "bmc/capability/erasure.hpp"
#include "bmc/capability/identity.hpp"
#include "bmc/erasure_record.hpp"

#include <functional>

namespace ingot::bmc {

struct ErasureTools {
  base::Clock& clock;
  IdentitySource& identity;
  ErasureControl& drives;
  CleaningControl& cleaning;
  Lane lane;
  WritePermit permit;
  // The record as it is now is to be kept. Awaited before each request to erase; what it throws (base::Error) keeps
  // that one from being sent.
  std::function<base::Task<void>()> save;
  std::function<void()> progressed;     // a percentage is another one
  std::function<bool()> mayBegin = {};  // another drive, still; may be empty
  // Awaited before each drive is looked at for the last time and erased, and before each step: whoever ordered it
  // stands by it now. May be empty.
  std::function<base::Task<bool>()> confirm = {};
};

// Returns when what `record` says is under way has come to its end, well or not. Begins nothing. Throws
// Error{notPermitted} when the host is let go of meanwhile.
[[nodiscard]] base::Task<void> followErasures(ErasureTools tools, ErasureRecord& record);

// The same; then erases each drive that the order names and `record` does not say is erased, and takes the steps of the
// order. A step that the BMC does not offer or that fails is recorded, and ends nothing. Throws Error:
//   busy          nothing is under way: not all drives are to be seen yet, or the BMC does not say which machine it is,
//                 or no more were to be begun
//   refused       nothing was begun, or of several drives some could not be erased; the text names them
//   notPermitted  the right to act has ended; what had been begun has been followed to its end, unless it is the host
//                 that is let go of
// and what `save` throws. No request is sent for a drive on which an operation is under way.
[[nodiscard]] base::Task<void> eraseDrives(ErasureTools tools, EraseOrder order, ErasureRecord& record);

}  // namespace ingot::bmc
