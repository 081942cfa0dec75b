// ingotctl version
#include "base/version.hpp"
#include "cli/run/commands.hpp"
#include "json/yaml.hpp"

namespace ingot::cli {
namespace {

std::string render(const json::Object& versions, Format format, const std::string& server) {
  if (format == Format::json) return json::serializePretty(versions) + "\n";
  if (format == Format::yaml) return json::toYaml(versions);
  std::string text = fmt::format("client   {}\n", json::textAt(versions, {"client"}));
  if (versions.contains("server"))
    text += fmt::format("server   {} at {}\n", plainText(json::textAt(versions, {"server"})), plainText(server));
  return text;
}

}  // namespace

std::string clientVersion(Format format) { return render({{"client", base::version}}, format, ""); }

base::Task<ExitCode> run(Session& session, VersionCommand command) {
  json::Object versions{{"client", base::version}};
  std::exception_ptr failure;
  try {
    versions["server"] = json::textAt(co_await session.client.api().raw("GET", "/version"), {"gitVersion"});
  } catch (const kube::Error&) {
    failure = std::current_exception();
  }
  session.terminal.out(render(versions, command.format, session.server));  // the client's in any case
  if (failure) std::rethrow_exception(failure);
  co_return ExitCode::done;
}

}  // namespace ingot::cli
