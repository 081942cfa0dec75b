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
  // `<host>.json.damaged` and counts as none. Those of erasures that have ended are not held: hosts come and go.
  // Throws base::Error where the folder cannot be read.
  ErasureRecords(base::Runtime runtime, std::string folder, std::shared_ptr<base::Offload> disk = nullptr);

  // nullopt: there is none, or it is on the disk only. Throws base::Error for one that could not be read: whether
  // drives are being erased is not known then.
  [[nodiscard]] std::optional<bmc::ErasureRecord> find(const std::string& host) const;
  // Of an erasure that has ended.
  [[nodiscard]] bool isOnDiskOnly(const std::string& host) const { return onDisk_.contains(host); }
  // That one; nullopt: it is there no more, or damaged. Throws base::Error where it cannot be read.
  [[nodiscard]] base::Task<std::optional<bmc::ErasureRecord>> readEnded(std::string host);
  // Once more, where it could not be read.
  [[nodiscard]] base::Task<void> readAgain(std::string host);

  // On the disk when it returns. Throws base::Error where the disk does not take it, which is logged; find() knows it
  // all the same, and from the call on.
  [[nodiscard]] base::Task<void> save(std::string host, bmc::ErasureRecord record);

 private:
  struct Reading;
  static Reading read(const std::string& file);
  [[nodiscard]] base::Task<Reading> readOnDisk(std::string host);
  void take(const std::string& host, Reading reading);
  void tellDamage(const std::string& host, const Reading& reading);
  using Kept = std::shared_ptr<const bmc::ErasureRecord>;
  void ended(const std::string& host, const Kept& written, const std::exception_ptr& failure);
  [[nodiscard]] std::string fileOf(const std::string& host) const;

  base::Runtime runtime_;
  std::string folder_;
  std::map<std::string, Kept> records_;         // by host
  std::set<std::string> onDisk_;                // hosts whose last erasure has ended
  std::map<std::string, std::string> unread_;   // by host: why its record could not be read
  std::set<std::string> refused_;               // hosts whose record the disk did not take the last time
  std::map<std::string, std::string> current_;  // job by host, once it was written
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
  std::shared_ptr<base::Offload> disk_;
};

}  // namespace ingot::agent
