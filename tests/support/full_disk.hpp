// A disk that takes nothing more, for this process: files are still read, renamed and removed, and what is written into
// one fails where it would be longer than `room` bytes, in the middle of a record, too. The kernel's word for that is
// "File too large"; tests/integration/system has a file system that is full.
#pragma once

#include <sys/resource.h>
#include <csignal>
#include <stdexcept>

namespace ingot::tests {

class FullDisk {
 public:
  explicit FullDisk(rlim_t room = 0) : others_(std::signal(SIGXFSZ, SIG_IGN)) {
    if (::getrlimit(RLIMIT_FSIZE, &before_) != 0) throw std::runtime_error("getrlimit failed");
    rlimit full = before_;
    full.rlim_cur = room;
    if (::setrlimit(RLIMIT_FSIZE, &full) != 0) throw std::runtime_error("setrlimit failed");
  }
  ~FullDisk() {
    static_cast<void>(::setrlimit(RLIMIT_FSIZE, &before_));
    std::signal(SIGXFSZ, others_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*others_)(int);
};

}  // namespace ingot::tests
