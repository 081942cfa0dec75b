// ingotctl render: the documents of a template for one machine, without a cluster.
#pragma once

#include "cli/command/command.hpp"
#include "cli/outcome.hpp"
#include "cli/run/terminal.hpp"

namespace ingot::cli {

// Throws what cli::explain() understands. What is doubtful in a template is told beside the documents, and ends with
// ExitCode::failed too.
[[nodiscard]] ExitCode render(Terminal& terminal, const RenderCommand& command);

}  // namespace ingot::cli
