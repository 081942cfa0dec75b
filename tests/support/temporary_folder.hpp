// A folder of a test's own, which goes with all that is in it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ingot::tests {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ingot-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  // All that is in it is gone.
  void clear() {
    std::error_code ignored;
    std::filesystem::remove_all(path(), ignored);
  }
  [[nodiscard]] std::string path(const std::string& below = "data") const { return path_ + "/" + below; }

 private:
  std::string path_;
};

}  // namespace ingot::tests
