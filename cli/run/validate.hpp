// ingotctl validate: would a server take these manifests? Asked without one.
#pragma once

#include "cli/command/command.hpp"
#include "cli/outcome.hpp"
#include "cli/run/terminal.hpp"

namespace ingot::cli {

// Every problem of every object is told; ExitCode::failed when one of them would be refused. Throws what cli::explain()
// understands.
[[nodiscard]] ExitCode validate(Terminal& terminal, const ValidateCommand& command);

}  // namespace ingot::cli
