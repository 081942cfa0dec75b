// Files read and replaced as a whole. Errors are base::Error and name the path and the system's reason.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::base {

// Throws when the file is missing, unreadable or larger than `limit`.
[[nodiscard]] std::string readFile(const std::string& path, std::size_t limit = 64u << 20);

// nullopt when there is no such file; throws on anything else.
[[nodiscard]] std::optional<std::string> readFileIfExists(const std::string& path, std::size_t limit = 64u << 20);

// Readers see the old content or the new one, never a mixture, also after a power cut: written to a neighbour with
// `mode`, synced, renamed over `path`, folder synced. Blocks; meant for small files.
void writeFileAtomically(const std::string& path, std::string_view content, unsigned mode = 0600);

// mkdir -p; folders that it makes get `mode`.
void makeFolder(const std::string& path, unsigned mode = 0700);

// Held by one process at a time; released on destruction and by the kernel when the process dies.
class FileLock {
 public:
  // nullopt when another process holds it. Creates the file (0600) when missing.
  [[nodiscard]] static std::optional<FileLock> tryLock(const std::string& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace ingot::base
