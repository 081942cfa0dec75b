// Files of CAs that were found good: thousands of clients are made with the same one, and a bundle takes long to read.
#pragma once

#include <sys/types.h>

#include <ctime>
#include <map>
#include <string>

namespace ingot::net::curl {

class CheckedFiles {
 public:
  // Reads it, unless it is as it was when it was found good. Throws base::Error where it cannot be read, or holds no
  // PEM certificate.
  void check(const std::string& path);

 private:
  struct Seen {
    ino_t inode = 0;
    off_t size = 0;
    std::time_t seconds = 0;  // of the last change
    long nanoseconds = 0;
    bool operator==(const Seen&) const = default;
  };
  [[nodiscard]] static Seen look(const std::string& path);

  std::map<std::string, Seen> good_;  // by path
};

}  // namespace ingot::net::curl
