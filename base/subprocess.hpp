// Child processes behind an interface: the real runner here, a scripted one in tests.
#pragma once

#include "base/clock.hpp"
#include "base/secret.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ingot::base {

struct ProcessSpec {
  std::vector<std::string> argv;                   // argv[0] is searched in PATH; never holds a secret
  std::map<std::string, std::string> environment;  // added to a minimal one (PATH, LC_ALL=C)
  std::map<std::string, Secret> secretEnvironment;
  std::string standardInput;
  Duration deadline = std::chrono::seconds(30);  // then SIGTERM, 1 s later SIGKILL
  std::size_t outputLimit = 1 << 20;             // bytes of stdout and of stderr each; more ends the process
};

struct ProcessResult {
  int exitCode = -1;  // 128 + signal when killed by one
  bool timedOut = false;
  bool outputTruncated = false;
  std::string standardOutput;
  std::string standardError;
};

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  // Throws base::Error when the program cannot be started, Cancelled (the child is killed and reaped) when cancelled.
  [[nodiscard]] virtual Task<ProcessResult> run(ProcessSpec spec) = 0;
};

// fork/exec with close-on-exec everywhere, own process group, pidfd on the loop.
[[nodiscard]] std::unique_ptr<ProcessRunner> systemProcessRunner(Executor executor, Clock& clock);

}  // namespace ingot::base
