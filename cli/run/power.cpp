// ingotctl power, ingotctl inspect: intent is written, never a BMC spoken to.
#include "cli/run/commands.hpp"
#include "cli/run/each.hpp"
#include "cli/run/find.hpp"
#include "cli/run/waves.hpp"
#include "cli/show/documents.hpp"
#include "cli/show/rows.hpp"
#include "json/yaml.hpp"

namespace ingot::cli {
namespace {

base::Task<void> ask(Session& session, std::string name, Planner plannedFor, std::vector<std::string>& asked) {
  auto host = co_await findHost(session, name);
  auto plan = plannedFor(host);
  static_cast<void>(co_await askHost(session, std::move(host), std::move(plan)));
  asked.push_back(std::move(name));
}

// The hosts that were asked successfully; `code` tells of the others.
base::Task<std::vector<std::string>> askAll(Session& session, std::vector<std::string> names, Planner plannedFor,
                                            ExitCode& code) {
  std::vector<std::string> asked;
  code = co_await forEach(session, std::move(names),
                          [&](const std::string& name) { return ask(session, name, plannedFor, asked); });
  co_return asked;
}

Goal goalOf(PowerVerb verb) {
  if (verb == PowerVerb::reboot) return {Goal::What::rebooted, "", ""};
  return {Goal::What::power, "", verb == PowerVerb::on ? "on" : "off"};
}

base::Task<ExitCode> showPower(Session& session, const PowerCommand& command, std::vector<std::string> names) {
  TextTable table(powerHeads());
  ExitCode code = ExitCode::done;
  json::Array rows;
  for (const std::string& name : names) {
    try {
      const auto host = co_await findHost(session, name);
      table.add(powerRow(host, session.runtime.clock.wall()));
      rows.push_back(powerDocument(host));
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {
      code = together(code, session.report(error));
    }
  }
  if (rows.empty()) co_return code;
  if (command.format == Format::json)
    session.terminal.out(json::serializePretty(rows) + "\n");
  else if (command.format == Format::yaml)
    session.terminal.out(json::toYaml(rows));
  else
    session.terminal.out(table.text());
  co_return code;
}

// --wait is one wave of all of them.
base::Task<ExitCode> askOnce(Session& session, PowerCommand command, std::vector<std::string> names) {
  const auto planned = [verb = command.verb, &session](const api::BareMetalHost& host) {
    return planOneShot(verb, host, session.runtime.clock.wall());
  };
  if (command.waves.atOnce == 0 && command.wait) command.waves = {.atOnce = names.size(), .pause = {}};
  if (command.waves.atOnce > 0)
    co_return co_await askInWaves(session, std::move(names), planned,
                                  {Goal::What::oneShot, command.verb == PowerVerb::nmi ? "nmi" : "ac-cycle", ""},
                                  command.waves, command.timeout);
  ExitCode code = ExitCode::done;
  static_cast<void>(co_await askAll(session, std::move(names), planned, code));
  co_return code;
}

}  // namespace

base::Task<ExitCode> run(Session& session, PowerCommand command) {
  auto names = std::move(command.hosts);
  if (command.verb == PowerVerb::status) co_return co_await showPower(session, command, std::move(names));
  ExitCode code = ExitCode::done;
  if (command.verb == PowerVerb::nmi || command.verb == PowerVerb::acCycle)
    co_return co_await askOnce(session, std::move(command), std::move(names));
  const auto planned = [verb = command.verb, hard = command.hard](const api::BareMetalHost& host) {
    return planPower(verb, hard, host);
  };
  if (command.waves.atOnce > 0)
    co_return co_await askInWaves(session, std::move(names), planned, goalOf(command.verb), command.waves,
                                  command.timeout);
  auto asked = co_await askAll(session, std::move(names), planned, code);
  if (command.wait && !asked.empty())
    code = together(code, co_await waitFor(session, std::move(asked), goalOf(command.verb), command.timeout));
  co_return code;
}

base::Task<ExitCode> run(Session& session, InspectCommand command) {
  ExitCode code = ExitCode::done;
  auto asked = co_await askAll(session, std::move(command.hosts), planInspection, code);
  if (command.wait && !asked.empty())
    code =
        together(code, co_await waitFor(session, std::move(asked), {Goal::What::inspected, "", ""}, command.timeout));
  co_return code;
}

}  // namespace ingot::cli
