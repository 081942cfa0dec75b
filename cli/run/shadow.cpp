// ingotctl shadow report: what a coordinator in shadow would have done otherwise than Metal3.
#include "cli/show/shadow.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/coordinator.hpp"
#include "json/yaml.hpp"
#include "kube/core/error.hpp"

namespace ingot::cli {
namespace {

constexpr const char* path = "/shadow/report";

base::Task<json::Value> reportOf(kube::Client& coordinator, std::string url) {
  try {
    co_return co_await coordinator.api().raw("GET", path);
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
  throw Failure(ExitCode::notFound, fmt::format("{} is no coordinator in shadow: it must run with --shadow, and its "
                                                "--metrics-addr, on an address of its own machine, is asked",
                                                url));
}

}  // namespace

base::Task<ExitCode> run(Session& session, ShadowReportCommand command) {
  const auto coordinator = coordinatorNamed(session, command.coordinator);
  if (!coordinator)
    throw Failure(ExitCode::usage,
                  "which coordinator: name it with --coordinator http://127.0.0.1:PORT, where PORT is that of "
                  "--metrics-addr, in a cluster through kubectl port-forward to the pod in shadow");
  const auto report = co_await reportOf(*coordinator, command.coordinator);
  if (command.format == Format::json) {
    session.terminal.out(json::serializePretty(report) + "\n");
  } else if (command.format == Format::yaml) {
    session.terminal.out(json::toYaml(report));
  } else {
    const auto table = shadowTable(report, session.runtime.clock.wall());
    if (!table.empty()) session.terminal.out(table.text());
    for (const auto& note : shadowNotes(report, session.runtime.clock.wall())) session.terminal.note(note);
  }
  co_return ExitCode::done;
}

}  // namespace ingot::cli
