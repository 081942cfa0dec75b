// A disk that loses power: SQLite writes to files in memory, and what was not synced when the power goes is dropped,
// kept or torn, write by write, in no particular order.
#pragma once

#include "base/random.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ingot::apiserver::tests {

class PowerLossDisk {
 public:
  // Registers itself as a SQLite VFS under vfsName(); unregisters on destruction.
  PowerLossDisk();
  ~PowerLossDisk();
  PowerLossDisk(const PowerLossDisk&) = delete;
  PowerLossDisk& operator=(const PowerLossDisk&) = delete;

  [[nodiscard]] const std::string& vfsName() const { return name_; }

  // The power goes at the n-th write or sync from now: from then on everything fails.
  void cutAfter(std::uint64_t operations);
  [[nodiscard]] bool dead() const;
  // Decides what of the unsynced writes reached the platter, and switches the power on again.
  void restore(base::Random& random);

  // From now on writes beyond this many bytes in all files fail with "disk full".
  void limit(std::optional<std::size_t> bytes);
  [[nodiscard]] std::size_t size() const;

  // What the VFS's files call.
  struct Write {
    std::size_t offset;
    std::string data;
    bool truncation = false;  // to `offset`
  };
  struct File {
    std::string synced;   // survives anything
    std::string content;  // what the running process reads
    std::vector<Write> pending;
  };
  enum class Answer { done, dead, full };
  Answer write(const std::string& path, std::size_t offset, std::string_view data);
  Answer truncate(const std::string& path, std::size_t size);
  Answer sync(const std::string& path);
  [[nodiscard]] std::string read(const std::string& path, std::size_t offset, std::size_t size) const;
  [[nodiscard]] std::size_t sizeOf(const std::string& path) const;
  [[nodiscard]] bool exists(const std::string& path) const;
  void create(const std::string& path);
  void remove(const std::string& path);

 private:
  bool countOperation();
  mutable std::mutex mutex_;
  std::string name_;
  std::map<std::string, File> files_;
  std::optional<std::uint64_t> left_;
  std::optional<std::size_t> limit_;
  bool dead_ = false;
};

}  // namespace ingot::apiserver::tests
