// How far the erasures of hosts' drives are, and how they ended, so that an erasure goes on after a restart and its
// record outlives the coordinator's: `<host>.json` of the last one, `<host>.<job>.json` of each before it.
#pragma once

#include "base/runtime.hpp"
#include "bmc/drive_erasure.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::agent {

class ErasureRecords {
 public:
  // `folder`: "" for none; then they last as long as the process.
  ErasureRecords(base::Runtime runtime, std::string folder);

  // nullopt: there is none. One that cannot be read is set aside as `<host>.json.damaged` and counts as none.
  [[nodiscard]] std::optional<bmc::ErasureRecord> find(const std::string& host);

  // On the disk when it returns. Throws base::Error where the disk does not take it, which is logged; find() knows it
  // all the same.
  void save(const std::string& host, const bmc::ErasureRecord& record);

 private:
  void write(const std::string& host, const bmc::ErasureRecord& record);
  void keepFormer(const std::string& host, const std::string& job);
  [[nodiscard]] std::string fileOf(const std::string& host) const;

  base::Runtime runtime_;
  std::string folder_;
  std::map<std::string, bmc::ErasureRecord> inMemory_;  // without a folder, or what the disk did not take
  std::map<std::string, std::string> current_;          // job by host, once it was saved
};

}  // namespace ingot::agent
