// How far the erasures of hosts' drives are, and how they ended, so that an erasure goes on after a restart and its
// record outlives the coordinator's: `<host>.json` of the last one, `<host>.<job>.json` of each before it.
#pragma once

#include "base/offload.hpp"
#include "base/runtime.hpp"
#include "bmc/drive_erasure.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace ingot::agent {

class ErasureRecords {
 public:
  // Reads those of `folder`; "": none, then they last as long as the process. `disk` does all else with them: a disk
  // that stalls holds nobody up but who waits for it; nullptr: the loop does. One that is damaged is set aside as
  // `<host>.json.damaged` and counts as none. Throws base::Error where the folder cannot be read.
  ErasureRecords(base::Runtime runtime, std::string folder, std::shared_ptr<base::Offload> disk = nullptr);

  // nullopt: there is none. Throws base::Error for one that could not be read: whether drives are being erased is not
  // known then.
  [[nodiscard]] std::optional<bmc::ErasureRecord> find(const std::string& host) const;
  // Once more, where it could not be read.
  [[nodiscard]] base::Task<void> readAgain(std::string host);

  // On the disk when it returns. Throws base::Error where the disk does not take it, which is logged; find() knows it
  // all the same, and from the call on.
  [[nodiscard]] base::Task<void> save(std::string host, bmc::ErasureRecord record);

 private:
  struct Reading;
  static Reading read(const std::string& file);
  void take(const std::string& host, Reading reading);
  void ended(const std::string& host, const std::string& job, const std::exception_ptr& failure);
  [[nodiscard]] std::string fileOf(const std::string& host) const;

  base::Runtime runtime_;
  std::string folder_;
  std::map<std::string, bmc::ErasureRecord> records_;  // by host
  std::map<std::string, std::string> unread_;          // by host: why its record could not be read
  std::set<std::string> refused_;                      // hosts whose record the disk did not take the last time
  std::map<std::string, std::string> current_;         // job by host, once it was written
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
  std::shared_ptr<base::Offload> disk_;
};

}  // namespace ingot::agent
