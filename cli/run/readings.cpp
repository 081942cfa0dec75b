// ingotctl sensors, logs, inventory: what was read of hosts.
#include "cli/show/readings.hpp"
#include "api/hardwaredata/hardware_data.hpp"
#include "api/readings.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/coordinator.hpp"
#include "cli/run/each.hpp"
#include "cli/run/find.hpp"
#include "cli/show/documents.hpp"
#include "cli/show/hardware.hpp"
#include "cli/show/sections.hpp"
#include "json/yaml.hpp"
#include "kube/core/error.hpp"
#include "net/url.hpp"

namespace ingot::cli {
namespace {

std::string pathOf(const Session& session, const std::string& host, std::string_view what) {
  return fmt::format("{}/namespaces/{}/hosts/{}/{}", api::kReadingsPath, net::percentEncode(session.namespace_),
                     net::percentEncode(host), what);
}

base::Task<json::Value> readingOf(Session& session, kube::Client& client, std::string host,
                                  const ReadingsCommand& command) {
  try {
    co_return co_await client.api().raw("GET",
                                        pathOf(session, host, command.what == Reading::sensors ? "sensors" : "logs"));
  } catch (const kube::Error& error) {
    if (!isPathUnknown(error)) throw;
  }
  throw Failure(ExitCode::failed,
                command.coordinator.empty()
                    ? fmt::format("{} does not pass the question on to the coordinator: name it with --coordinator "
                                  "http://127.0.0.1:PORT, where PORT is that of --metrics-addr, in a cluster through "
                                  "kubectl port-forward to the leading pod",
                                  session.server)
                    : fmt::format("{} does not know what agents have read: it is the address of a coordinator's "
                                  "metrics that is needed",
                                  command.coordinator));
}

// False: as a table, please.
bool printDocuments(Session& session, const std::vector<json::Value>& documents, bool single, Format format) {
  if (format == Format::table) return false;
  const auto all = asDocument(documents, single);
  session.terminal.out(format == Format::json ? json::serializePretty(all) + "\n" : json::toYaml(all));
  return true;
}

// null: it has not been inspected.
base::Task<json::Value> inspectionOf(Session& session, std::string name) {
  const auto host = co_await findHost(session, name);
  const auto resource = kube::Resource::of(api::HardwareData::info);
  auto data = co_await session.client.api().get(resource, host.metadata.key());
  co_return data ? shown(std::move(*data)) : json::Value();
}

// What agents have read is more, and is not always there: null where no coordinator knows it. That one says why an
// agent does not get it is worth a note.
base::Task<json::Value> readHardwareOf(Session& session, kube::Client& client, std::string host) {
  try {
    co_return co_await client.api().raw("GET", pathOf(session, host, "inventory"));
  } catch (const kube::Error& error) {
    if (kube::hasCause(error, api::kNotRead)) session.terminal.note(error.status().message);
  }
  co_return json::Value();
}

}  // namespace

base::Task<ExitCode> run(Session& session, ReadingsCommand command) {
  const auto direct = coordinatorNamed(session, command.coordinator);
  auto& client = direct ? *direct : session.client;
  std::vector<json::Value> documents;
  const auto code = co_await forEach(session, command.hosts, [&](const std::string& host) -> base::Task<void> {
    documents.push_back(co_await readingOf(session, client, host, command));
  });
  if (documents.empty()) co_return code;
  if (printDocuments(session, documents, command.hosts.size() == 1, command.format)) co_return code;
  const auto table = command.what == Reading::sensors ? sensorTable(documents) : logTable(documents);
  if (table.empty())
    session.terminal.note(command.what == Reading::sensors ? "no sensors" : "the log is empty");
  else
    session.terminal.out(table.text());
  for (const auto& document : documents)
    if (const auto note = readingNote(document, session.runtime.clock.wall()); !note.empty())
      session.terminal.note(note);
  co_return code;
}

base::Task<ExitCode> run(Session& session, InventoryCommand command) {
  const auto direct = coordinatorNamed(session, command.coordinator);
  auto& client = direct ? *direct : session.client;
  const bool isTable = command.format == Format::table;
  std::vector<json::Value> documents;
  std::string text;
  const auto code = co_await forEach(session, command.hosts, [&](const std::string& host) -> base::Task<void> {
    auto inspection = co_await inspectionOf(session, host);
    const auto read = isTable ? co_await readHardwareOf(session, client, host) : json::Value();
    if (inspection.is_null() && read.is_null())
      throw Failure(ExitCode::notFound,
                    fmt::format("host {} has not been inspected yet: see ingotctl why host {}", host, host));
    if (!isTable) co_return documents.push_back(std::move(inspection));
    text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", plainText(host));
    if (!inspection.is_null())
      if (const auto data = kube::decodeObject<api::HardwareData>(inspection); data.spec.hardware)
        text += hardwareLines(*data.spec.hardware);
    text += readHardwareLines(read);
    if (const auto note = readingNote(read, session.runtime.clock.wall()); !note.empty()) session.terminal.note(note);
  });
  if (!isTable && !documents.empty()) printDocuments(session, documents, command.hosts.size() == 1, command.format);
  if (isTable) session.terminal.out(trimmedLines(text));
  co_return code;
}

}  // namespace ingot::cli
