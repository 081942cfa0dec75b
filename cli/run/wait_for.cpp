// ingotctl wait, and what --wait of other commands does.
#include "cli/decide/why.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/feed.hpp"
#include "cli/run/find.hpp"
#include "cli/words/duration.hpp"
#include "json/shape.hpp"

#include <set>

namespace ingot::cli {
namespace {

class HostWaiter {
 public:
  HostWaiter(Session& session, std::vector<std::string> names, Goal goal)
      : session_(session), goal_(std::move(goal)), names_(std::move(names)), pending_(names_.begin(), names_.end()) {}

  bool see(const Change& change) {
    switch (change.what) {
      case Change::What::synced: dropMissing(); break;
      case Change::What::deleted: gone(json::textAt(change.object, {"metadata", "name"})); break;
      case Change::What::present:
      case Change::What::changed: look(change.object); break;
    }
    return synced_ && pending_.empty();
  }

  void outOfTime(base::Duration timeout) {
    for (const auto& name : names_) {
      if (!pending_.contains(name)) continue;
      fail(Failure(ExitCode::timedOut,
                   fmt::format("host {} is not {} after {}: {}", name, textOf(goal_), ageText(timeout), last_[name])));
    }
  }

  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  void look(const json::Value& object) {
    try {
      judge(kube::decodeObject<api::BareMetalHost>(object));
    } catch (const json::DecodeError& error) {
      const std::string name = json::textAt(object, {"metadata", "name"});
      if (pending_.erase(name) > 0) fail(Failure(ExitCode::failed, fmt::format("host {}: {}", name, error.what())));
    }
  }

  void judge(const api::BareMetalHost& host) {
    const std::string& name = host.metadata.name;
    there_.push_back(name);
    if (!pending_.contains(name)) return;
    last_[name] = standing(host, session_.runtime.clock.wall());
    if (reached(goal_, host)) arrive(name);
  }

  void gone(const std::string& name) {
    if (!pending_.contains(name)) return;
    if (goal_.what == Goal::What::deleted) return arrive(name);
    pending_.erase(name);
    fail(Failure(ExitCode::failed, fmt::format("host {} was deleted; it will never be {}", name, textOf(goal_))));
  }

  void dropMissing() {
    synced_ = true;
    for (const auto& name : names_) {
      if (!pending_.contains(name) || last_.contains(name)) continue;
      if (goal_.what == Goal::What::deleted) {
        arrive(name);
      } else {
        pending_.erase(name);
        fail(notThere(session_, infoOf(Subject::hosts), name, there_));
      }
    }
    there_.clear();
  }

  void arrive(const std::string& name) {
    pending_.erase(name);
    session_.terminal.say(fmt::format("host {} is {}", name, textOf(goal_)));
  }

  void fail(const Failure& failure) { code_ = together(code_, session_.report(failure)); }

  Session& session_;
  Goal goal_;
  std::vector<std::string> names_;
  std::set<std::string> pending_;
  std::map<std::string, std::string> last_;  // where each stood
  std::vector<std::string> there_;
  bool synced_ = false;
  ExitCode code_ = ExitCode::done;
};

}  // namespace

base::Task<ExitCode> waitFor(Session& session, std::vector<std::string> names, Goal goal, base::Duration timeout) {
  const FeedQuery query{.resource = kube::Resource::of(api::BareMetalHost::info),
                        .namespace_ = session.namespace_,
                        .name = names.size() == 1 ? names.front() : ""};
  HostWaiter waiter(session, std::move(names), std::move(goal));
  const bool ended =
      co_await Feed::follow(session, query, timeout, [&](const Change& change) { return waiter.see(change); });
  if (!ended) waiter.outOfTime(timeout);
  co_return waiter.code();
}

base::Task<ExitCode> run(Session& session, WaitCommand command) {
  co_return co_await waitFor(session, std::move(command.hosts), parseGoal(command.goal), command.timeout);
}

}  // namespace ingot::cli
