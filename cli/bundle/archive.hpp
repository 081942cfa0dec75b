// A .tar.gz that is there as a whole or not at all, for its owner's eyes.
#pragma once

#include "base/clock.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace ingot::cli::bundle {

// A text too long for memory, in a file without a name beside the archive. Throws cli::Failure.
class Spool {
 public:
  explicit Spool(const std::string& archivePath);
  Spool(Spool&& other) noexcept;
  Spool& operator=(Spool&& other) noexcept;
  ~Spool();

  void append(std::string_view text);
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  friend class Archive;
  int fd_ = -1;
  std::size_t size_ = 0;
};

// Entries stand below one folder in it. Written beside `path` under a name of its own and moved there by finish(),
// which replaces nothing; destroyed before that it leaves nothing. Throws cli::Failure.
class Archive {
 public:
  Archive(std::string path, std::string folder, base::WallTime now);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  void add(const std::string& name, std::string_view text);
  void add(const std::string& name, const Spool& text);
  void finish();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  struct Writer;
  std::string path_, temporary_, folder_;
  base::WallTime now_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace ingot::cli::bundle
