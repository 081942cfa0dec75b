// A machine that was suspended, as a process sees it: its boot time has gone on, its monotonic time has not. A time
// namespace shows this to two child processes.
#include "base/clock.hpp"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

constexpr int kForbidden = 2;

int inChild(int (*body)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int sleepCounts() {
  const auto ahead = base::SystemClock().now() - std::chrono::steady_clock::now();
  return ahead > 900s ? 0 : 1;
}

int afterThousandSecondsOfSleep() {
  if (::unshare(CLONE_NEWTIME | (::geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0) return kForbidden;
  std::ofstream("/proc/self/timens_offsets") << "boottime 1000 0\n" << std::flush;
  return inChild(sleepCounts);  // a process enters the namespace by being born in it
}

}  // namespace

TEST_CASE("the system clock goes on while the machine is suspended", "[clock]") {
  const int outcome = inChild(afterThousandSecondsOfSleep);
  if (outcome == kForbidden && std::getenv("CI") == nullptr) {
    WARN("no time namespace may be made here");
    return;
  }
  CHECK(outcome == 0);
}
