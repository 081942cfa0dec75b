// ingotctl, also started as kubectl-ingot.
#include "base/process_limits.hpp"
#include "base/run.hpp"
#include "base/signals.hpp"
#include "base/sync.hpp"
#include "cli/parse/parse.hpp"
#include "cli/run/program.hpp"

#include <cstdio>

namespace {

using namespace ingot;

class StandardTerminal final : public cli::Terminal {
 public:
  void out(std::string_view text) override {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);  // who follows a watch through a pipe wants it now
  }
  std::string readInput() override {
    std::string text;
    char piece[1 << 16];
    for (std::size_t n = 0; (n = std::fread(piece, 1, sizeof(piece), stdin)) > 0;) text.append(piece, n);
    return text;
  }

 private:
  void writeNote(const std::string& line) override { fmt::print(stderr, "{}\n", line); }
  void writeError(const std::string& line) override { fmt::print(stderr, "error: {}\n", line); }
};

constexpr int kStopped = 130;  // as shells call it: 128 and SIGINT

base::Task<void> abortWhenTold(base::StopSignal& signal, base::AbortSource& work) {
  co_await signal.wait();
  work.abort();
}

// Most commands may end wherever they are. What has a file half written takes it away first, and what has asked some
// of many hosts says which.
std::optional<std::string> wordsWhenStopped(const cli::Command& command) {
  if (std::holds_alternative<cli::SupportBundleCommand>(command)) return "stopped; nothing is left behind";
  if (std::holds_alternative<cli::PowerCommand>(command)) return "stopped; what was asked for goes on";
  return std::nullopt;
}

base::Task<int> executeUntilStopped(cli::Surroundings around, cli::Invocation invocation, std::string words) {
  base::StopSignal signal(around.runtime.executor, base::StopSignal::Hangup::stops);
  base::AbortSource work;
  base::TaskGroup watch(around.runtime.executor, around.runtime.log);
  watch.spawn("signal", abortWhenTold(signal, work));
  std::optional<cli::ExitCode> code;
  const auto execute = [&]() -> base::Task<void> { code = co_await cli::execute(around, std::move(invocation)); };
  try {
    co_await work.run(execute());
  } catch (const base::Cancelled&) {
  }
  co_await watch.close();
  if (!code) around.terminal.error(words);
  co_return code ? static_cast<int>(*code) : kStopped;
}

int executeOnLoop(cli::Invocation invocation, StandardTerminal& terminal) {
  boost::asio::io_context loop(1);
  base::SystemClock clock;
  const auto random = base::systemRandom();
  const base::Runtime runtime{loop.get_executor(), clock, *random, base::Log::silent()};
  const auto transport = net::curlTransport(runtime);
  const cli::Surroundings around{runtime, *transport, kube::processEnvironment(), terminal};
  if (auto words = wordsWhenStopped(invocation.command))
    return base::run(loop, executeUntilStopped(around, std::move(invocation), std::move(*words)));
  return static_cast<int>(base::run(loop, cli::execute(around, std::move(invocation))));
}

}  // namespace

int main(int argc, char** argv) {
  StandardTerminal terminal;
  try {
    base::forbidCoreDumps();  // keys of the kubeconfig are in memory
    auto parsed = cli::parseCommandLine({argv + 1, argv + argc});
    if (parsed.invocation) return executeOnLoop(std::move(*parsed.invocation), terminal);
    if (!parsed.isError)
      terminal.out(parsed.text);
    else
      terminal.error(parsed.text);
    return static_cast<int>(parsed.isError ? cli::ExitCode::usage : cli::ExitCode::done);
  } catch (const std::exception& error) {
    terminal.error(error.what());
    return static_cast<int>(cli::ExitCode::failed);
  }
}
