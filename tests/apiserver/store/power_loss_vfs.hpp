// A disk that loses power: SQLite writes to files in memory, and what was not synced when the power goes is dropped,
// kept or torn, write by write, in no particular order. A file that was made or removed since its folder was synced may
// be gone, or there again.
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

  // The power goes at the n-th creation, removal, write or sync from now: from then on everything fails. With `suffix`
  // those of files whose name ends so are counted.
  void cutAfter(std::uint64_t operations, std::string suffix = {});
  [[nodiscard]] bool dead() const;
  [[nodiscard]] std::string diedAt() const;  // the file that was to be changed when the power went
  // Decides what of the unsynced writes, and which unsynced names, reached the platter, and switches the power on
  // again.
  void restore(base::Random& random);
  [[nodiscard]] int namesLost() const { return namesLost_; }  // files that were made and then gone, by all restores

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
    bool named = false;  // its name in the folder survives, too
  };
  enum class Answer { done, dead, full };
  Answer write(const std::string& path, std::size_t offset, std::string_view data);
  Answer truncate(const std::string& path, std::size_t size);
  Answer sync(const std::string& path, bool withFolder);
  [[nodiscard]] std::string read(const std::string& path, std::size_t offset, std::size_t size) const;
  [[nodiscard]] std::size_t sizeOf(const std::string& path) const;
  [[nodiscard]] bool exists(const std::string& path) const;
  Answer create(const std::string& path);
  Answer remove(const std::string& path, bool withFolder);

 private:
  bool countOperation(const std::string& path);
  void syncFolder();
  mutable std::mutex mutex_;
  std::string name_;
  std::map<std::string, File> files_;
  std::map<std::string, File> removed_;  // since the folder was synced
  std::optional<std::uint64_t> left_;
  std::string counted_, diedAt_;
  int namesLost_ = 0;
  std::optional<std::size_t> limit_;
  bool dead_ = false;
};

}  // namespace ingot::apiserver::tests
