// How often a file is opened, by whomever, from the time that this begins to look.
#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

namespace ingot::tests {

class FileOpenings {
 public:
  // Closings are watched, too: of openings that follow one another the kernel would tell of the first alone.
  explicit FileOpenings(const std::string& path) {
    if (::inotify_add_watch(watch_, path.c_str(), IN_OPEN | IN_CLOSE) < 0)
      throw std::runtime_error("cannot watch " + path);
  }
  ~FileOpenings() { ::close(watch_); }
  FileOpenings(const FileOpenings&) = delete;
  FileOpenings& operator=(const FileOpenings&) = delete;

  // Since the last call.
  [[nodiscard]] int count() const {
    std::array<char, 4096> events{};
    int found = 0;
    for (ssize_t size = 0; (size = ::read(watch_, events.data(), events.size())) > 0;) {
      for (std::size_t at = 0; at < static_cast<std::size_t>(size); at += sizeof(inotify_event)) {
        inotify_event event{};
        std::memcpy(&event, events.data() + at, sizeof event);
        if ((event.mask & IN_OPEN) != 0) ++found;
      }
    }
    return found;
  }

 private:
  int watch_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
};

}  // namespace ingot::tests
