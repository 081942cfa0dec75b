// ingotctl apply: every document is read and checked before the first one is sent; each is sent in one write.
#include "base/nearest.hpp"
#include "cli/apply/complaint.hpp"
#include "cli/apply/manifest.hpp"
#include "cli/apply/three_way.hpp"
#include "cli/run/commands.hpp"
#include "json/patch.hpp"
#include "kube/client/discovery.hpp"
#include "kube/core/undecoded.hpp"

namespace ingot::cli {
namespace {

constexpr unsigned kTries = 5;  // when others change the object between our look and our patch

// "baremetalhost.metal3.io/node01", as kubectl says it.
std::string saidName(const kube::ServedKind& kind, const Manifest& m) {
  const std::string& group = kind.resource.group;
  return kind.singular + (group.empty() ? "" : "." + group) + "/" + m.name();
}

Failure unknownKind(const kube::Discovery& served, const Manifest& m) {
  std::vector<std::string> kinds;
  for (const auto& k : served.all()) {
    if (k.resource.kind == m.kind())
      return {ExitCode::failed, fmt::format("{}: apiVersion: the server has no {} in {}; use {}", m.place("apiVersion"),
                                            m.kind(), m.apiVersion(), k.resource.apiVersion())};
    kinds.push_back(k.resource.kind);
  }
  const std::string near = base::nearest(m.kind(), kinds);
  return {ExitCode::failed,
          fmt::format("{}: kind: the server does not know the kind {} ({}){}", m.place("kind"), m.kind(),
                      m.apiVersion(), near.empty() ? "; are its CRDs installed?" : "; did you mean " + near + "?")};
}

struct Item {
  Manifest manifest;
  kube::ServedKind kind;
  [[nodiscard]] kube::ObjectKey key() const {
    return {kind.resource.namespaced ? manifest.namespace_() : "", manifest.name()};
  }
};

Item prepared(const Session& session, const kube::Discovery& served, Manifest m) {
  const kube::ServedKind* kind = served.find(m.apiVersion(), m.kind());
  if (!kind) throw unknownKind(served, m);
  if (kind->resource.namespaced) m.defaultNamespace(session.namespace_);
  if (kind->resource.namespaced && session.namespaceGiven && m.namespace_() != session.namespace_)
    throw Failure(
        ExitCode::failed,
        fmt::format("{}: metadata.namespace: {} is not the namespace given with -n ({}); leave one of them out",
                    m.place("metadata.namespace"), m.namespace_(), session.namespace_));
  return {std::move(m), *kind};
}

class Applier {
 public:
  Applier(Session& session, bool dryRun)
      : session_(session),
        write_{.fieldManager = std::string(kApplyManager), .fieldValidation = "Strict", .dryRun = dryRun} {}

  base::Task<ExitCode> apply(const Item& item) {
    try {
      const std::string verb = co_await written(item);
      session_.terminal.say(
          fmt::format("{} {}{}", saidName(item.kind, item.manifest), verb, write_.dryRun ? " (server dry run)" : ""));
      co_return ExitCode::done;
    } catch (const kube::Error& error) {
      co_return report(item, error);
    }
  }

 private:
  base::Task<std::string> written(const Item& item) {
    const json::Value modified = withLastApplied(item.manifest.object);
    for (unsigned tried = 1;; ++tried) {
      const auto live = co_await session_.client.api().get(item.kind.resource, item.key());
      try {
        if (live) co_return co_await patched(item, modified, *live);
        co_await session_.client.api().create(item.kind.resource, item.key().namespace_, modified, write_);
        co_return "created";
      } catch (const kube::Error& error) {
        const bool raced =
            error.code() == kube::Error::Code::conflict || error.code() == kube::Error::Code::alreadyExists;
        const bool pinned = !kube::resourceVersionOf(item.manifest.object).empty();
        if (!raced || pinned || tried == kTries) throw;
      }
    }
  }

  base::Task<std::string> patched(const Item& item, const json::Value& modified, const json::Value& live) {
    const json::Value patch = threeWayPatch(lastApplied(live), modified, live);
    if (json::isEmptyPatch(patch)) co_return "unchanged";
    const json::Value after =
        co_await session_.client.api().patch(item.kind.resource, item.key(), kube::PatchType::merge, patch, {}, write_);
    co_return kube::resourceVersionOf(after) == kube::resourceVersionOf(live) && !write_.dryRun ? "unchanged"
                                                                                                : "configured";
  }

  ExitCode report(const Item& item, const kube::Error& error) {
    const auto lines = complaintLines(item.manifest, complaints(error));
    const Failure failure = explain(error, session_.server);
    if (lines.empty()) session_.terminal.error(item.manifest.place() + ": " + failure.what());
    for (const auto& line : lines) session_.terminal.error(line);
    return failure.code();
  }

  Session& session_;
  kube::WriteOptions write_;
};

std::vector<Manifest> readAll(Session& session, const ApplyCommand& command) {
  const bool fromInput = std::ranges::find(command.files, "-") != command.files.end();
  const auto sources = readSources(command.files, command.recursive, fromInput ? session.terminal.readInput() : "");
  std::vector<Manifest> all;
  for (const Source& source : sources) std::ranges::move(parseManifests(source), std::back_inserter(all));
  if (all.empty()) throw Failure(ExitCode::failed, command.files.front() + ": holds no object");
  return all;
}

bool definesKinds(const Manifest& m) { return m.kind() == "CustomResourceDefinition"; }

// Applies manifests without CRDs, the usual case: every document is checked before the first one is sent.
base::Task<ExitCode> applyChecked(Session& session, Applier& applier, std::vector<Manifest> manifests) {
  const auto served = co_await kube::Discovery::load(session.client.api());
  std::vector<Item> items;
  items.reserve(manifests.size());
  for (Manifest& m : manifests) items.push_back(prepared(session, served, std::move(m)));
  ExitCode code = ExitCode::done;
  for (const Item& item : items) code = together(code, co_await applier.apply(item));
  co_return code;
}

// Applies manifests with CRDs among them, whose kinds are known only once the CRDs are installed.
base::Task<ExitCode> applyGrowing(Session& session, Applier& applier, std::vector<Manifest> manifests) {
  ExitCode code = ExitCode::done;
  for (Manifest& m : manifests) {
    const auto served = co_await kube::Discovery::load(session.client.api());
    const bool isNewKind = definesKinds(m);
    const Item item = prepared(session, served, std::move(m));
    code = together(code, co_await applier.apply(item));
    if (isNewKind) co_await session.runtime.clock.sleepFor(std::chrono::seconds(1));  // until it is in discovery
  }
  co_return code;
}

}  // namespace

base::Task<ExitCode> run(Session& session, ApplyCommand command) {
  auto manifests = readAll(session, command);
  Applier applier(session, command.dryRun);
  if (std::ranges::any_of(manifests, definesKinds))
    co_return co_await applyGrowing(session, applier, std::move(manifests));
  co_return co_await applyChecked(session, applier, std::move(manifests));
}

}  // namespace ingot::cli
