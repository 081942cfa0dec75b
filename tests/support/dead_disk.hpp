// A disk that takes no byte any more, by the kernel's limit on the size of files: every write beyond it fails.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace ingot::tests {

// Of this process, while it lives. Pipes and terminals still work.
class DeadDisk {
 public:
  DeadDisk() : before_(signalBefore()) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit none{0, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~DeadDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }
  DeadDisk(const DeadDisk&) = delete;
  DeadDisk& operator=(const DeadDisk&) = delete;

 private:
  using Handler = void (*)(int);
  static Handler signalBefore() { return std::signal(SIGXFSZ, SIG_IGN); }  // else it kills
  rlimit limit_{};
  Handler before_;
};

}  // namespace ingot::tests
