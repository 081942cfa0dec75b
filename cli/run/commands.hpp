// The commands: thin, they read, let cli/decide and cli/show think, write and print. Each may throw what
// cli::explain() understands.
#pragma once

#include "cli/command/command.hpp"
#include "cli/decide/goal.hpp"
#include "cli/run/session.hpp"

namespace ingot::cli {

[[nodiscard]] base::Task<ExitCode> run(Session& session, ApplyCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, GetCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, DescribeCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, WhyCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, TreeCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, RetryCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, PowerCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, InspectCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, InventoryCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, ReadingsCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, WaitCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, WatchCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, ApproveCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, RevokeCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, ShadowReportCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, SupportBundleCommand command);
[[nodiscard]] base::Task<ExitCode> run(Session& session, VersionCommand command);

// Until each host has reached the goal. Prints a line for each that gets there, and one for each that does not.
[[nodiscard]] base::Task<ExitCode> waitFor(Session& session, std::vector<std::string> names, Goal goal,
                                           base::Duration timeout);

// `version --client`: needs no session.
[[nodiscard]] std::string clientVersion(Format format);

}  // namespace ingot::cli
