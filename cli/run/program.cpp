#include "cli/run/program.hpp"

#include "cli/parse/completion.hpp"
#include "cli/parse/parse.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/offline.hpp"

namespace ingot::cli {
namespace {

kube::ClusterConfig clusterOf(const Surroundings& around, const ClusterChoice& choice) {
  try {
    return kube::findCluster({.path = choice.kubeconfig, .context = choice.context, .namespace_ = choice.namespace_},
                             around.environment);
  } catch (const base::Error& unusable) {
    throw Failure(ExitCode::unreachable, unusable.what());
  }
}

std::unique_ptr<kube::Client> connect(const Surroundings& around, const kube::ClusterConfig& cluster) {
  try {
    return kube::connect(around.runtime, around.transport, cluster, forPeople());
  } catch (const base::Error& unusable) {  // a CA or certificate that is none
    throw Failure(ExitCode::unreachable, std::string("kubeconfig: ") + unusable.what());
  }
}

base::Task<ExitCode> dispatch(Session& session, Command command) {
  if (auto* c = std::get_if<ApplyCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<GetCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<DescribeCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<WhyCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<TreeCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<RetryCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<PowerCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<InspectCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<InventoryCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<ReadingsCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<WaitCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<WatchCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<ApproveCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<RevokeCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<ShadowReportCommand>(&command)) co_return co_await run(session, std::move(*c));
  if (auto* c = std::get_if<SupportBundleCommand>(&command)) co_return co_await run(session, std::move(*c));
  co_return co_await run(session, std::move(std::get<VersionCommand>(command)));
}

// What needs no cluster; nullopt: this needs one.
std::optional<ExitCode> executeAlone(Terminal& terminal, const Command& command) {
  if (const auto* completion = std::get_if<CompletionCommand>(&command)) {
    terminal.out(completionScript(completion->shell, commandTree()));
    return ExitCode::done;
  }
  if (const auto* wanted = std::get_if<RenderCommand>(&command)) return render(terminal, *wanted);
  if (const auto* wanted = std::get_if<ConvertCommand>(&command)) return convert(terminal, *wanted);
  if (const auto* wanted = std::get_if<ValidateCommand>(&command)) return validate(terminal, *wanted);
  const auto* version = std::get_if<VersionCommand>(&command);
  if (!version || !version->clientOnly) return std::nullopt;
  terminal.out(clientVersion(version->format));
  return ExitCode::done;
}

}  // namespace

base::Task<ExitCode> execute(Surroundings around, Invocation invocation) {
  std::string server = "the server";
  try {
    if (const auto code = executeAlone(around.terminal, invocation.command)) co_return *code;
    const auto cluster = clusterOf(around, invocation.cluster);
    server = cluster.server;
    const auto client = connect(around, cluster);
    Session session{.runtime = around.runtime,
                    .client = *client,
                    .terminal = around.terminal,
                    .transport = around.transport,
                    .environment = around.environment,
                    .server = server,
                    .namespace_ = cluster.namespace_,
                    .namespaceGiven = !invocation.cluster.namespace_.empty()};
    co_return co_await dispatch(session, std::move(invocation.command));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    const Failure failure = explain(error, server);
    around.terminal.error(failure.what());
    co_return failure.code();
  }
}

}  // namespace ingot::cli
