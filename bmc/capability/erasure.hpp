// The drives of a host as its BMC erases them.
#pragma once

#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/model/erasure.hpp"
#include "bmc/write_permit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::bmc {

// How an erasure that the BMC has begun goes on.
struct ErasureProgress {
  enum class State {
    running,
    unsaid,  // the BMC cannot say now
    done,
    failed,
    forgotten,  // the BMC knows nothing of it any more, or has interrupted it: the drive tells
    noTask,     // what the BMC named is none: the drive tells
    result,     // there is no task any more, but what it came to; or the BMC named something else: who saw it knows
  };
  State state = State::running;
  int percent = -1;   // -1: not told
  std::string error;  // why it failed
  std::string task;   // "": the same; else what is to be looked at from now on
  std::string since;  // when the task began, in the BMC's words; "": not told
};

class ErasureControl {
 public:
  static constexpr auto capability = Capability::erasure;
  virtual ~ErasureControl() = default;

  // The drives of the host, all of them: Error{busy} where one could not be read.
  [[nodiscard]] virtual base::Task<std::vector<ErasableDrive>> readDrives(Lane lane) = 0;
  // nullopt: no drive is there (any more).
  [[nodiscard]] virtual base::Task<std::optional<ErasableDrive>> readDrive(Lane lane, std::string path) = 0;
  // Begins to erase a drive that was read before. What is on it is lost. The task to look at; "": the BMC names none,
  // and is done or goes on by itself. Error{busy}: not now. Must not be repeated while the drive is busy.
  [[nodiscard]] virtual base::Task<std::string> eraseDrive(Lane lane, ErasableDrive drive, EraseMethod method,
                                                           WritePermit permit) = 0;
  [[nodiscard]] virtual base::Task<ErasureProgress> lookAtErasure(Lane lane, std::string task) = 0;
};

}  // namespace ingot::bmc
