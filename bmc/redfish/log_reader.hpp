// Reads the end of a BMC's log (spec/bmc.md §13.1).
#pragma once

#include "bmc/model/log.hpp"
#include "bmc/redfish/log_resources.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

struct LogPlace {
  std::string log, entries;  // paths of the service and of its entries
};

class LogReader {
 public:
  LogReader(Connection& connection, Lane lane) : connection_(connection), lane_(lane), walker_(connection, lane) {}

  // Logs of the system, of its managers and chassis; those that tell of its hardware (log_choice.hpp).
  [[nodiscard]] base::Task<std::vector<LogPlace>> find(std::string systemPath);

  // One request as long as the log stands at `mark`. Else one or two more where the service knows $skip, or shows all
  // at once; otherwise page by page. Where entries are shown as links the latest few are read one by one. nullopt: it,
  // or its end, cannot be read, and why is noted.
  [[nodiscard]] base::Task<std::optional<LogTail>> read(LogPlace place, std::string mark);

  [[nodiscard]] std::vector<std::string>& unread() { return walker_.unread(); }

 private:
  [[nodiscard]] base::Task<void> addServices(LogHolder holder, std::vector<LogService>& into);
  [[nodiscard]] base::Task<std::optional<std::vector<LogEntryResource>>> latest(std::string path, LogEntries first);
  [[nodiscard]] base::Task<std::vector<LogEntry>> inWords(std::vector<LogEntryResource> found);
  [[nodiscard]] base::Task<void> fill(LogEntryResource& entry);
  [[nodiscard]] base::Task<bool> canSkip();

  Connection& connection_;
  Lane lane_;
  Walker walker_;
};

}  // namespace ingot::bmc::redfish
