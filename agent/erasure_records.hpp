// How far the erasures of hosts' drives are, and how they ended, so that an erasure goes on after a restart and its
// record outlives the coordinator's: `<host>.json` of the last one, `<host>.<job>.json` of each before it.
#pragma once

#include "base/offload.hpp"
#include "base/runtime.hpp"
#include "bmc/drive_erasure.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ingot::agent {

class ErasureRecords {
 public:
  // `folder`: "" for none; then they last as long as the process. `disk` writes them: a disk that stalls holds nobody
  // up but who waits for it; nullptr: the loop does.
  ErasureRecords(base::Runtime runtime, std::string folder, std::shared_ptr<base::Offload> disk = nullptr);

  // nullopt: there is none. One that is damaged is set aside as `<host>.json.damaged` and counts as none. Throws
  // base::Error for one that cannot be read now: whether drives are being erased is not known then.
  [[nodiscard]] std::optional<bmc::ErasureRecord> find(const std::string& host);

  // On the disk when it returns. Throws base::Error where the disk does not take it, which is logged; find() knows it
  // all the same, and from the call on.
  [[nodiscard]] base::Task<void> save(std::string host, bmc::ErasureRecord record);

 private:
  // Not on the disk: it is on its way, the disk did not take it, or there is no folder.
  struct Unwritten {
    bmc::ErasureRecord record;
    std::uint64_t number = 0;  // of the save
    bool isRefused = false;    // by the disk; that was told
  };
  void ended(const std::string& host, const std::string& job, std::uint64_t number, const std::exception_ptr& failure);
  [[nodiscard]] std::string fileOf(const std::string& host) const;

  base::Runtime runtime_;
  std::string folder_;
  std::map<std::string, Unwritten> unwritten_;  // by host
  std::map<std::string, std::string> current_;  // job by host, once it was written
  std::uint64_t saves_ = 0;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
  std::shared_ptr<base::Offload> disk_;
};

}  // namespace ingot::agent
