// ingotctl get hosts|agents|machines|clusters|addresses
#include "cli/run/commands.hpp"
#include "cli/run/feed.hpp"
#include "cli/run/find.hpp"
#include "cli/show/documents.hpp"
#include "cli/show/subjects.hpp"
#include "json/shape.hpp"
#include "json/yaml.hpp"
#include "kube/core/undecoded.hpp"

#include <set>

namespace ingot::cli {
namespace {

// How the wanted objects become text.
class Printer {
 public:
  Printer(const GetCommand& command, Session& session)
      : command_(command),
        session_(session),
        subject_(infoOf(command.subject)),
        style_{.wide = command.format == Format::wide, .withNamespace = command.allNamespaces && subject_.namespaced} {}

  [[nodiscard]] Row heads() const { return subject_.heads(style_); }

  // Of the rows that could not be had.
  [[nodiscard]] ExitCode code() const { return code_; }

  [[nodiscard]] std::string all(std::vector<json::Value> objects) {
    switch (command_.format) {
      case Format::table:
      case Format::wide: {
        TextTable table(heads());
        for (const auto& object : objects)
          if (const auto shown = row(object)) table.add(*shown);
        return table.text(0, command_.heads);
      }
      case Format::json:
        return json::serializePretty(asDocument(std::move(objects), command_.names.size() == 1)) + "\n";
      case Format::yaml: return json::toYaml(asDocument(std::move(objects), command_.names.size() == 1));
      case Format::name: break;
    }
    std::string text;
    for (const auto& object : objects) text += nameLine(object) + "\n";
    return text;
  }

  // The text of one object of a stream.
  [[nodiscard]] std::string next(const json::Value& object, GrowingTable& table) {
    switch (command_.format) {
      case Format::table:
      case Format::wide: {
        const auto shown = row(object);
        return shown ? table.line(*shown) : "";
      }
      case Format::json: return json::serialize(shown(object)) + "\n";
      case Format::yaml: return "---\n" + json::toYaml(shown(object));
      case Format::name: break;
    }
    return nameLine(object) + "\n";
  }

 private:
  // One that holds what its kind cannot hold is told, and the others are shown.
  std::optional<Row> row(const json::Value& object) {
    try {
      return subject_.row(object, style_, session_.runtime.clock.wall());
    } catch (const json::DecodeError& error) {
      const Failure odd(ExitCode::failed,
                        fmt::format("{} {}: {}", subject_.singular, kube::keyOf(object).text(), error.what()));
      code_ = together(code_, session_.report(odd));
    }
    return std::nullopt;
  }

  const GetCommand& command_;
  Session& session_;
  const SubjectInfo& subject_;
  RowStyle style_;
  ExitCode code_ = ExitCode::done;
};

std::string namespaceOf(const Session& session, const GetCommand& command) {
  return !infoOf(command.subject).namespaced || command.allNamespaces ? "" : session.namespace_;
}

std::string nameOf(const json::Value& object) { return json::textAt(object, {"metadata", "name"}); }

std::string nothingThere(const Session& session, const GetCommand& command) {
  const std::string space = namespaceOf(session, command);
  const std::string where = space.empty() ? "" : fmt::format(" in namespace {}; -A looks in all", space);
  return fmt::format("no {} found{}", infoOf(command.subject).plural, where);
}

// In the order in which they were asked for; tells of each that is not there.
std::vector<json::Value> chosen(const Session& session, const GetCommand& command, std::vector<json::Value> all,
                                ExitCode& code) {
  if (command.names.empty()) return all;
  std::vector<json::Value> out;
  std::vector<std::string> there;
  there.reserve(all.size());
  for (const auto& object : all) there.push_back(nameOf(object));
  for (const std::string& name : command.names) {
    bool found = false;
    for (const auto& object : all)
      if (nameOf(object) == name) {
        out.push_back(object);
        found = true;
      }
    if (!found)
      code = together(
          code, session.report(command.subject == Subject::agents
                                   ? noAgent(name, there)
                                   : notThere(session, infoOf(command.subject), name, there,
                                              command.allNamespaces ? Searched::everywhere : Searched::namespace_)));
  }
  return out;
}

// Either kind of a subject that has two need not be installed; one of them must be.
base::Task<std::vector<json::Value>> listed(Session& session, const SubjectInfo& subject, kube::ListQuery query) {
  kube::Api& api = session.client.api();
  std::vector<json::Value> all;
  std::optional<kube::Error> missing;
  try {
    all = (co_await api.list(kube::Resource::of(subject.kind), query)).items;
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound || subject.also == nullptr) throw;
    missing = error;
  }
  if (subject.also == nullptr) co_return all;
  try {
    auto more = co_await api.list(kube::Resource::of(*subject.also), query);
    std::ranges::move(more.items, std::back_inserter(all));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
    if (missing) throw *missing;
  }
  co_return all;
}

base::Task<ExitCode> getOnce(Session& session, const GetCommand& command, Printer& printer) {
  const std::string byName = command.names.size() == 1 ? "metadata.name=" + command.names.front() : "";
  const SubjectInfo& subject = infoOf(command.subject);
  kube::ListQuery query{
      .namespace_ = namespaceOf(session, command), .labelSelector = command.selector, .fieldSelector = byName};
  auto all = co_await listed(session, subject, query);
  if (all.empty() && !byName.empty()) {  // for a better "did you mean"
    query.fieldSelector.clear();
    all = co_await listed(session, subject, query);
  }
  ExitCode code = ExitCode::done;
  auto objects = chosen(session, command, std::move(all), code);
  const bool isTable = command.format == Format::table || command.format == Format::wide;
  if (objects.empty() && isTable) {
    if (code == ExitCode::done) session.terminal.note(nothingThere(session, command));
  } else if (!objects.empty() || command.names.empty()) {
    session.terminal.out(printer.all(std::move(objects)));
  }
  co_return together(code, printer.code());
}

base::Task<ExitCode> getAndWatch(Session& session, const GetCommand& command, Printer& printer) {
  const std::set<std::string> wanted(command.names.begin(), command.names.end());
  GrowingTable table(printer.heads(), command.heads);
  const SubjectInfo& subject = infoOf(command.subject);
  FeedQuery query{.resource = kube::Resource::of(subject.kind),
                  .namespace_ = namespaceOf(session, command),
                  .name = wanted.size() == 1 ? *wanted.begin() : "",
                  .selector = command.selector};
  if (subject.also != nullptr) query.also = kube::Resource::of(*subject.also);
  const auto see = [&](const Change& change) {
    const bool matters =
        change.what != Change::What::synced && (wanted.empty() || wanted.contains(nameOf(change.object)));
    if (matters) session.terminal.out(printer.next(change.object, table));
    return false;
  };
  co_await Feed::follow(session, query, std::nullopt, see);
  co_return ExitCode::done;
}

}  // namespace

base::Task<ExitCode> run(Session& session, GetCommand command) {
  Printer printer(command, session);
  if (command.watch) co_return co_await getAndWatch(session, command, printer);
  co_return co_await getOnce(session, command, printer);
}

}  // namespace ingot::cli
