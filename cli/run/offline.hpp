// The commands that need no cluster: files in, documents or complaints out. Each throws what cli::explain()
// understands.
#pragma once

#include "cli/command/command.hpp"
#include "cli/outcome.hpp"
#include "cli/run/terminal.hpp"

namespace ingot::cli {

// ingotctl render: the documents of a template for one machine. What is doubtful in a template is told beside the
// documents, and ends with ExitCode::failed too.
[[nodiscard]] ExitCode render(Terminal& terminal, const RenderCommand& command);

// ingotctl convert: manifests in, the same in the other version out. All or nothing: when one object cannot be
// converted, every problem is told and no document is shown.
[[nodiscard]] ExitCode convert(Terminal& terminal, const ConvertCommand& command);

// ingotctl validate: would a server take these manifests? Every problem of every object is told; ExitCode::failed when
// one of them would be refused.
[[nodiscard]] ExitCode validate(Terminal& terminal, const ValidateCommand& command);

}  // namespace ingot::cli
