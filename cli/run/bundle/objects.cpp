#include "api/bmh/baremetalhost.hpp"
#include "api/kinds/kinds.hpp"
#include "cli/decide/why.hpp"
#include "cli/run/bundle/collect.hpp"
#include "cli/run/pictures.hpp"
#include "cli/show/why_text.hpp"
#include "json/shape.hpp"
#include "kube/core/config_map.hpp"
#include "kube/core/event.hpp"
#include "kube/core/secret.hpp"
#include "kube/core/undecoded.hpp"

#include <algorithm>

namespace ingot::cli::bundle {
namespace {

using Machine = api::capm3::v1beta2::Metal3Machine;

constexpr std::int64_t kPage = 200;         // bounds the memory that a fleet takes here
constexpr std::int64_t kLargePage = 25;     // of what may be a megabyte each
constexpr std::size_t kMostMachines = 200;  // a decision on one takes six requests

std::vector<kube::Resource> ourResources() {
  std::vector<kube::Resource> all;
  for (const api::KindRow& row : api::everyKind()) all.push_back(kube::Resource::of(*row.stored));
  return all;
}

// What pictures say on the way belongs into the bundle and not between the lines of the terminal.
class QuietTerminal final : public Terminal {
 public:
  explicit QuietTerminal(Contents& contents) : contents_(contents) {}
  void out(std::string_view) override {}
  std::string readInput() override { return ""; }

 private:
  void writeNote(const std::string& line) override { contents_.missing("a decision", line); }
  void writeError(const std::string& line) override { contents_.missing("a decision", line); }
  Contents& contents_;
};

class Decisions {
 public:
  explicit Decisions(ApiSource& source) : source_(source), hosts_(source.contents().spool()) {}

  void see(const json::Value& object) {
    try {
      const std::string kind = json::textAt(object, {"kind"});
      if (kind == api::BareMetalHost::info.kind) seeHost(kube::decodeObject<api::BareMetalHost>(object));
      if (kind == Machine::info.kind) seeMachine(kube::decodeObject<Machine>(object));
    } catch (const json::DecodeError& odd) {
      source_.contents().missing("a decision on " + kube::keyOf(object).text(), odd.what());
    }
  }

  base::Task<void> write() {
    Contents& contents = source_.contents();
    contents.addRedacted("decisions/hosts.txt", "ingotctl why, of hosts that are not ready", hosts_);
    Spool machines = contents.spool();
    QuietTerminal quiet(contents);
    for (const kube::ObjectKey& key : machines_) {
      if (source_.lost()) break;
      if (const auto picture = co_await pictureOf(key, quiet))
        append(machines, key.namespace_, whyMachine(*picture, now()));
    }
    contents.addRedacted("decisions/machines.txt", "ingotctl why, of machines that are not ready", machines);
    if (more_ > 0)
      contents.missing(fmt::format("decisions on {} more machines", more_),
                       fmt::format("the bundle has those on {}", kMostMachines));
  }

 private:
  // nullopt: told why. A bundle that cannot be written is no matter of a machine: append() stands outside of this.
  base::Task<std::optional<MachinePicture>> pictureOf(kube::ObjectKey key, Terminal& terminal) {
    Session there = inNamespace(key.namespace_, terminal);
    try {
      co_return co_await pictureOfMachine(there, key.name);
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {
      source_.failed("the decision on machine " + key.text(), error);
    }
    co_return std::nullopt;
  }

  [[nodiscard]] base::WallTime now() { return source_.session().runtime.clock.wall(); }

  Session inNamespace(const std::string& namespace_, Terminal& terminal) {
    Session& all = source_.session();
    return {.runtime = all.runtime,
            .client = all.client,
            .terminal = terminal,
            .transport = all.transport,
            .environment = all.environment,
            .server = all.server,
            .namespace_ = namespace_};
  }

  void append(Spool& spool, const std::string& namespace_, const std::string& why) {
    spool.append(source_.contents().redaction().text(fmt::format("[{}] {}\n", namespace_, why)));
  }

  void seeHost(const api::BareMetalHost& host) {
    if (!whyWaiting(host, now()).empty()) append(hosts_, host.metadata.namespace_, whyHost(host, now()));
  }

  // Its own status says that all is well with it; only its picture says why not.
  void seeMachine(const Machine& machine) {
    const auto& conditions = machine.status.conditions;
    const auto ready = std::ranges::find(conditions, "Ready", &kube::Condition::type);
    if (ready != conditions.end() && ready->status == "True" && machine.metadata.deletionTimestamp == std::nullopt)
      return;
    if (machines_.size() < kMostMachines)
      machines_.push_back(machine.metadata.key());
    else
      ++more_;
  }

  ApiSource& source_;
  Spool hosts_;
  std::vector<kube::ObjectKey> machines_;
  std::size_t more_ = 0;
};

bool isOfGroup(const Names& groups, const json::Value& event) {
  const std::string apiVersion = json::textAt(event, {"involvedObject", "apiVersion"});
  const auto slash = apiVersion.find('/');
  return slash != std::string::npos && groups.contains(apiVersion.substr(0, slash));
}

}  // namespace

base::Task<Names> collectObjects(ApiSource& source, std::string namespace_) {
  Names namespaces, groups;
  if (!namespace_.empty()) namespaces.insert(namespace_);
  Decisions decisions(source);
  for (const kube::Resource& resource : ourResources()) {
    groups.insert(resource.group);
    const auto see = [&](const json::Value& object) {
      if (const std::string space = json::textAt(object, {"metadata", "namespace"}); !space.empty())
        namespaces.insert(space);
      decisions.see(object);
      return true;
    };
    co_await source.file("objects", resource, {.namespace_ = resource.namespaced ? namespace_ : "", .pageSize = kPage},
                         see);
  }
  co_await decisions.write();
  const auto ofOurs = [&groups](const json::Value& event) { return isOfGroup(groups, event); };
  co_await source.file("events", kube::Resource::of(kube::Event::info), {.namespace_ = namespace_, .pageSize = kPage},
                       ofOurs);
  co_return namespaces;
}

base::Task<void> collectOutlines(ApiSource& source, Names namespaces) {
  for (const std::string& space : namespaces)
    for (const auto& resource : {kube::Resource::of(kube::Secret::info), kube::Resource::of(kube::ConfigMap::info)})
      co_await source.file("outlines", resource, {.namespace_ = space, .pageSize = kLargePage});
}

}  // namespace ingot::cli::bundle
