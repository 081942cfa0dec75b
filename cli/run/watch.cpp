// ingotctl watch: what changes of hosts, as it happens.
#include "cli/run/commands.hpp"
#include "cli/run/feed.hpp"
#include "cli/show/host_changes.hpp"
#include "json/shape.hpp"

#include <set>

namespace ingot::cli {
namespace {

class Watched {
 public:
  Watched(Session& session, const WatchCommand& command)
      : session_(session), command_(command), wanted_(command.hosts.begin(), command.hosts.end()) {}

  void see(const Change& change) {
    if (change.what == Change::What::synced) return began();
    try {
      take(change, json::decode<api::BareMetalHost>(change.object));
    } catch (const json::DecodeError& error) {  // it is told, and the others are watched on
      const auto name = json::textAt(change.object, {"metadata", "name"});
      code_ =
          together(code_, session_.report(Failure(ExitCode::failed, fmt::format("host {}: {}", name, error.what()))));
    }
  }

  // Of the hosts that could not be shown.
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  void began() {
    isSynced_ = true;
    for (const auto& name : wanted_)
      if (std::ranges::none_of(known_, [&](const auto& host) { return host.first.name == name; }))
        session_.terminal.note(fmt::format("there is no host {} yet", name));
    if (wanted_.empty()) session_.terminal.note(fmt::format("watching {} hosts", known_.size()));
  }

  void take(const Change& change, api::BareMetalHost host) {
    if (!wanted_.empty() && !wanted_.contains(host.metadata.name)) return;
    const auto key = host.metadata.key();
    const auto before = known_.find(key);
    const bool isGone = change.what == Change::What::deleted;
    if (isSynced_)
      tell(key, changesBetween(before == known_.end() ? nullptr : &before->second, isGone ? nullptr : &host));
    if (isGone)
      known_.erase(key);
    else
      known_[key] = std::move(host);
  }

  void tell(const kube::ObjectKey& host, const std::vector<HostChange>& changes) {
    const auto now = session_.runtime.clock.wall();
    for (const auto& change : changes)
      session_.terminal.out(command_.format == Format::json ? json::serialize(changeDocument(change, host, now)) + "\n"
                                                            : changeLine(change, host, command_.allNamespaces, now));
  }

  Session& session_;
  const WatchCommand& command_;
  std::set<std::string> wanted_;
  std::map<kube::ObjectKey, api::BareMetalHost> known_;
  bool isSynced_ = false;
  ExitCode code_ = ExitCode::done;
};

}  // namespace

base::Task<ExitCode> run(Session& session, WatchCommand command) {
  Watched watched(session, command);
  const FeedQuery query{.resource = kube::Resource::of(api::BareMetalHost::info),
                        .namespace_ = command.allNamespaces ? "" : session.namespace_,
                        .name = command.hosts.size() == 1 ? command.hosts.front() : "",
                        .selector = command.selector};
  const auto limit = command.timeout > base::Duration{} ? std::optional(command.timeout) : std::nullopt;
  co_await Feed::follow(session, query, limit, [&](const Change& change) {
    watched.see(change);
    return false;
  });
  co_return watched.code();
}

}  // namespace ingot::cli
