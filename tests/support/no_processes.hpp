// For tests in which no child process may be started.
#pragma once

#include "base/subprocess.hpp"

namespace ingot::tests {

class NoProcesses final : public base::ProcessRunner {
 public:
  base::Task<base::ProcessResult> run(base::ProcessSpec) override { throw base::Error("no process is expected here"); }
};

}  // namespace ingot::tests
