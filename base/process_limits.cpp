#include "base/process_limits.hpp"

#include "base/error.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>

namespace ingot::base {

void forbidCoreDumps() {
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0) throw Error(std::string("setrlimit(RLIMIT_CORE): ") + std::strerror(errno));
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    throw Error(std::string("prctl(PR_SET_DUMPABLE): ") + std::strerror(errno));
  }
}

void ignoreBrokenPipes() {
  struct sigaction now{};
  if (::sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) ::signal(SIGPIPE, SIG_IGN);
}

long raiseOpenFileLimit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
  const auto before = files.rlim_cur;
  files.rlim_cur = files.rlim_max;
  return static_cast<long>(::setrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : before);
}

}  // namespace ingot::base
