// ingotctl convert: manifests in, the same in the other version out, without a cluster.
#pragma once

#include "cli/command/command.hpp"
#include "cli/outcome.hpp"
#include "cli/run/terminal.hpp"

namespace ingot::cli {

// All or nothing: when one object cannot be converted, every problem is told and no document is shown. Throws what
// cli::explain() understands.
[[nodiscard]] ExitCode convert(Terminal& terminal, const ConvertCommand& command);

}  // namespace ingot::cli
