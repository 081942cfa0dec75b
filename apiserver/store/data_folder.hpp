// The folder that one server owns: private, locked, and safely on disk.
#pragma once

#include "base/file.hpp"

#include <string>

namespace ingot::apiserver {

class DataFolder {
 public:
  // Creates `path` (0700; an existing one is narrowed to it) and takes its lock. Throws base::Error in plain words when
  // another process holds it.
  explicit DataFolder(std::string path);

  // The path of `name` in the folder; the file exists afterwards with mode 0600.
  [[nodiscard]] std::string privateFile(const std::string& name) const;
  // Makes the folder's own entries durable.
  void sync() const;

 private:
  std::string path_;
  base::FileLock lock_;
};

}  // namespace ingot::apiserver
