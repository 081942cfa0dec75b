// From a command line to an exit code. Tests hand in their own transport, clock and terminal.
#pragma once

#include "base/runtime.hpp"
#include "cli/command/command.hpp"
#include "cli/outcome.hpp"
#include "cli/run/terminal.hpp"
#include "kube/client/config.hpp"
#include "net/client.hpp"

namespace ingot::cli {

struct Surroundings {
  base::Runtime runtime;
  net::HttpTransport& transport;
  kube::Environment environment;
  Terminal& terminal;
};

// Tells of every failure on the terminal; throws base::Cancelled only.
[[nodiscard]] base::Task<ExitCode> execute(Surroundings around, Invocation invocation);

}  // namespace ingot::cli
