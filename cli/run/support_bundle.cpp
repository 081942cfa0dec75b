// ingotctl support-bundle
#include "cli/run/support_bundle.hpp"
#include "base/version.hpp"

#include "cli/run/bundle/collect.hpp"
#include "cli/run/commands.hpp"

#include <ranges>

namespace ingot::cli {
namespace {

using namespace bundle;

// "20260131T100000Z"
std::string stampOf(base::WallTime now) {
  std::string stamp;
  for (const char c : base::formatTime(now))
    if (c != '-' && c != ':') stamp += c;
  return stamp;
}

// What the API says of itself. Its address may hold a user's name, and is of no use elsewhere.
base::Task<void> collectServer(ApiSource& source) {
  if (const auto version = co_await source.text("version of the API", "/version"))
    source.contents().add("server/version.json", "version of the API", *version);
  if (const auto ready =
          co_await source.text("/readyz?verbose of the API", "/readyz?verbose", ApiSource::Expected::evenFailing))
    source.contents().add("server/readyz.txt", "what the API says of itself", *ready);
}

base::Task<void> collectAll(ApiSource& source, const SupportBundleCommand& command) {
  Session& session = source.session();
  Contents& contents = source.contents();
  const std::size_t bytes = command.logMebibytes << 20;
  contents.add("ingotctl.txt", "version of what made this", fmt::format("ingotctl {}\n", base::version));
  collectLogFiles(contents, command.logFiles, bytes);
  co_await collectPages(session, contents, command.metricsUrls);
  co_await collectServer(source);
  auto namespaces = co_await collectObjects(source, command.allNamespaces ? "" : session.namespace_);
  auto pods = co_await collectCoordinator(source, command.coordinatorNamespace);
  for (const auto& pod : pods) namespaces.insert(pod.namespace_);
  co_await collectOutlines(source, std::move(namespaces));
  if (pods.empty())
    contents.remark(
        "No pod of a coordinator was found. One that runs as a service logs into the journal of its machine: "
        "journalctl -u ingot-coordinator > FILE, and --logs FILE; its metrics are at --metrics-url.");
  co_await collectPods(source, std::move(pods), bytes);
}

std::string headOf(const Session& session, const SupportBundleCommand& command) {
  return fmt::format(
      "Support bundle of ingotctl {}, made {}\nNamespaces: {}\n\n"
      "Secrets and ConfigMaps are here by names and sizes only; passwords in URLs, free texts and variables are ***.\n",
      base::version, base::formatTime(session.runtime.clock.wall()),
      command.allNamespaces ? "all" : session.namespace_);
}

void tellErrors(Terminal& terminal, const std::vector<std::string>& errors) {
  constexpr std::size_t most = 8;
  for (const auto& error : errors | std::views::take(most)) terminal.note("left out: " + error);
  if (errors.size() > most)
    terminal.note(fmt::format("left out, too: {} more; errors.txt in it has all", errors.size() - most));
}

Failure nothingCollected(ApiSource& source) {
  if (source.lost()) return *source.lost();
  return {ExitCode::failed, "nothing could be collected; " + source.contents().firstError()};
}

}  // namespace

base::Task<std::string> makeSupportBundle(Session& session, SupportBundleCommand command, Redaction redaction) {
  const std::string name = "ingot-support-" + stampOf(session.runtime.clock.wall());
  Archive archive(command.output.empty() ? name + ".tar.gz" : command.output, name, session.runtime.clock.wall());
  Contents contents(archive, redaction);
  ApiSource source(session, contents);
  co_await collectAll(source, command);
  if (contents.files() == 1) throw nothingCollected(source);  // the own version alone helps nobody
  contents.close(headOf(session, command));
  archive.finish();
  tellErrors(session.terminal, contents.errors());
  co_return archive.path();
}

base::Task<ExitCode> run(Session& session, SupportBundleCommand command) {
  session.terminal.say(co_await makeSupportBundle(session, std::move(command), {}));
  co_return ExitCode::done;
}

}  // namespace ingot::cli
