// What is kept of an erasure of drives by whoever carries it out.
#pragma once

#include "bmc/model/erasure.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::bmc {

// How far an erasure is. Whoever carries it out keeps the record, so that it goes on after a restart.
struct ErasureRecord {
  std::string job;                                            // the same: the same erasure
  std::string manufacturer, model, serialNumber, systemUuid;  // of the machine, as its BMC told before the first write
  std::string bmcFirmware;
  std::vector<DriveErasure> drives;
  std::vector<StepRecord> steps = {};                // that were taken
  std::optional<base::WallTime> startedAt, endedAt;  // ended: each drive that is not kept is erased, each step taken

  static void describe(auto& v) {
    v.field("job", &ErasureRecord::job).required();
    v.field("manufacturer", &ErasureRecord::manufacturer);
    v.field("model", &ErasureRecord::model);
    v.field("serialNumber", &ErasureRecord::serialNumber);
    v.field("systemUuid", &ErasureRecord::systemUuid);
    v.field("bmcFirmware", &ErasureRecord::bmcFirmware);
    v.field("drives", &ErasureRecord::drives);
    v.field("steps", &ErasureRecord::steps);
    v.field("startedAt", &ErasureRecord::startedAt);
    v.field("endedAt", &ErasureRecord::endedAt);
  }
};

// A drive of it is being erased, or may be: the host must not lose its power.
[[nodiscard]] bool isUnderWay(const ErasureRecord& record);

[[nodiscard]] ErasureState stateOf(const DriveErasure& drive);
[[nodiscard]] EraseMethod methodOf(const DriveErasure& drive);

// How long it should take (spec/bmc.md §18 rule 5).
[[nodiscard]] base::Duration limitOf(const DriveErasure& drive);
// How long a drive that is shown at rest may be at it all the same.
[[nodiscard]] base::Duration mayBeUnseenFor(const DriveErasure& drive);

}  // namespace ingot::bmc
