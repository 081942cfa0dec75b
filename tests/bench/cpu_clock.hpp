// The CPU time of this process, as a clock: what else the machine does is not measured.
#pragma once

#include <time.h>

#include <chrono>

namespace ingot::tests {

struct CpuClock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<CpuClock, duration>;

  static time_point now() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return time_point(std::chrono::seconds(used.tv_sec) + duration(used.tv_nsec));
  }
  static double millisecondsSince(time_point start) {
    return std::chrono::duration<double, std::milli>(now() - start).count();
  }
};

}  // namespace ingot::tests
