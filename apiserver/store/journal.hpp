// The store-commit seam: where changes become durable. Everything here blocks and runs off the loop thread.
#pragma once

#include "apiserver/store/object.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ingot::apiserver {

// One object put (object set) or removed (object null).
struct Change {
  std::string resource;  // GroupResource::text()
  ObjectKey key;
  Revision revision = 0;
  ObjectPtr object;
};

class JournalError final : public base::Error {
 public:
  enum class Code {
    full,    // nothing of the batch was stored; the next one may succeed
    failed,  // the outcome is unknown; the journal takes nothing more until it is opened again
  };
  JournalError(Code code, const std::string& text) : Error(text), code_(code) {}
  [[nodiscard]] Code code() const { return code_; }

 private:
  Code code_;
};

class Journal {
 public:
  virtual ~Journal() = default;

  using Name = std::pair<std::string, ObjectKey>;  // resource, key
  struct Loaded {
    Revision revision = 0;         // the highest ever acknowledged
    std::uint64_t term = 0;        // of this opening, durable
    std::vector<Name> unreadable;  // set aside, now or at an earlier opening
    bool moved = true;             // false: there was no room to, they are where they were
  };
  // Called once, before any commit: hands over every stored object in any order. An object for which `each` answers
  // false cannot be read: it is set aside, so that a new object of its name does not collide with it, and kept until
  // such a new object is deleted. Objects that were set aside earlier are tried again while their name is free. The
  // term grows by one at each opening, or to `leastTerm` when that is more and this is not the first opening.
  using Each = std::function<bool(const std::string& resource, const ObjectKey& key, std::string body)>;
  [[nodiscard]] virtual Loaded load(const Each& each, std::uint64_t leastTerm) = 0;

  // All or nothing, durable on return. Throws JournalError.
  virtual void commit(std::span<const Change> batch) = 0;
};

[[nodiscard]] constexpr std::uint64_t termAfter(std::uint64_t stored, std::uint64_t least) {
  return stored == 0 ? 1 : std::max(stored + 1, least);
}

// `dataFolder`/ingot.db (SQLite, WAL, synchronous=FULL); creates the folder (0700) and files (0600). Throws base::Error
// in plain words when another process holds the folder, the file is damaged or was written by a newer Ingot.
struct SqliteOptions {
  std::string vfs = {};        // tests: a VFS that loses power
  int checkpointPages = 2000;  // the log is copied into the database when it has grown to so many
};
[[nodiscard]] std::unique_ptr<Journal> openSqliteJournal(const std::string& dataFolder, SqliteOptions options = {});

// Memory only, for simulation and tests. What a MemoryDisk holds survives its journals, as a disk would.
struct MemoryDisk {
  std::mutex mutex;
  std::map<std::pair<std::string, ObjectKey>, std::string> bodies;
  std::map<std::pair<std::string, ObjectKey>, std::string> unreadable;  // set aside
  Revision revision = 0;
  std::uint64_t term = 0;
  std::function<void(std::span<const Change>)> beforeCommit;  // may throw JournalError
};
[[nodiscard]] std::unique_ptr<Journal> openMemoryJournal(std::shared_ptr<MemoryDisk> disk);

}  // namespace ingot::apiserver
