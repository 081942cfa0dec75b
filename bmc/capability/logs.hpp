// The logs that tell of the hardware of a host.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"
#include "bmc/model/log.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::bmc {

// By log: the mark of the tail that was read last.
using LogMarks = std::map<std::string, std::string>;

struct LogReading {
  std::vector<LogTail> tails;
  std::vector<std::string> unread;  // what the BMC has and did not show, and why
  base::MonoTime asked{};           // before the first of them
  // How far the BMC's clock, which dates the entries, is ahead of ours; nullopt: not known.
  std::optional<std::chrono::seconds> clockAhead = {};
};

class LogSource {
 public:
  static constexpr auto capability = Capability::logs;
  virtual ~LogSource() = default;

  // The ends of the logs; of those that stand at their mark only that. What could not be read is named in it. Without
  // logs there are none.
  [[nodiscard]] virtual base::Task<LogReading> readLogs(Lane lane, LogMarks marks) = 0;
};

}  // namespace ingot::bmc
