// The drives of one host erased, from the first look at them to the last (spec/bmc.md §12.4, §18;
// docs/decisions/0022).
#pragma once

#include "bmc/driver.hpp"

#include <functional>

namespace ingot::bmc {

// How far an erasure is. Whoever carries it out keeps the record, so that it goes on after a restart.
struct ErasureRecord {
  std::string job;                                            // the same: the same erasure
  std::string manufacturer, model, serialNumber, systemUuid;  // of the machine, as its BMC told before the first write
  std::vector<DriveErasure> drives;
  std::optional<base::WallTime> startedAt, endedAt;  // ended: each drive that is not kept is erased

  static void describe(auto& v) {
    v.field("job", &ErasureRecord::job).required();
    v.field("manufacturer", &ErasureRecord::manufacturer);
    v.field("model", &ErasureRecord::model);
    v.field("serialNumber", &ErasureRecord::serialNumber);
    v.field("systemUuid", &ErasureRecord::systemUuid);
    v.field("drives", &ErasureRecord::drives);
    v.field("startedAt", &ErasureRecord::startedAt);
    v.field("endedAt", &ErasureRecord::endedAt);
  }
};

struct ErasureTools {
  base::Clock& clock;
  Driver& driver;
  Lane lane;
  WritePermit permit;
  // The record as it is now is to be kept. Called before each request to erase; what it throws (base::Error) keeps that
  // one from being sent.
  std::function<void()> save;
  std::function<void()> progressed;  // a percentage is another one
};

// Returns when each drive is erased that the order names; those that `record` says are erased already stay so, and what
// it says is under way is followed. Throws Error:
//   busy          nothing was begun: not all drives are to be seen yet, or the BMC does not say which machine it is
//   refused       nothing was begun, or of several drives some could not be erased; the text names them
//   notPermitted  the right to act has ended; what had been begun has been followed to its end
// and what `save` throws. No request is sent for a drive on which an operation is under way.
[[nodiscard]] base::Task<void> eraseDrives(ErasureTools tools, EraseOrder order, ErasureRecord& record);

}  // namespace ingot::bmc
