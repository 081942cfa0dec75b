#include "cli/run/waves.hpp"

#include "cli/decide/wave_plan.hpp"
#include "cli/decide/why.hpp"
#include "cli/run/feed.hpp"
#include "cli/run/find.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/host_range.hpp"
#include "kube/core/event.hpp"

namespace ingot::cli {
namespace {

constexpr std::string_view kManager = "ingotctl";
constexpr base::Duration errorCounts = std::chrono::minutes(1);  // once it has stood so long
constexpr base::Duration betweenLooks = std::chrono::seconds(5);
constexpr std::size_t mostTogether = 16;  // requests for a wave at a time; the client has as many connections

std::uint64_t versionOf(const api::BareMetalHost& host) {
  std::uint64_t version = 0;
  const auto& text = host.metadata.resourceVersion;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

// Where the hosts of a wave stand, from one watch for all waves: what that says of a host from before it was asked does
// not count. A one-shot leaves nothing in the host: its Event tells how it ended.
class WaveWatch {
 public:
  WaveWatch(Session& session, Goal goal)
      : session_(session),
        goal_(std::move(goal)),
        changed_(session.runtime.executor),
        tasks_(session.runtime.executor, session.runtime.log) {}

  // Returns when what happens from now on is seen.
  [[nodiscard]] base::Task<void> start() {
    tasks_.spawn("watch the hosts", follow());
    while (isOneShot() && !isSynced_ && !failure_) co_await changed_.wait();
    if (failure_) std::rethrow_exception(failure_);
  }
  [[nodiscard]] base::Task<void> stop() { return tasks_.close(); }

  // It is about to be asked: an Event may come before the answer.
  void prepare(const std::string& name) {
    if (isOneShot()) pending_[name] = {};
  }
  void forget(const std::string& name) { pending_.erase(name); }

  void expect(const api::BareMetalHost& asked) {
    if (isOneShot()) return;
    pending_[asked.metadata.name] = {.version = versionOf(asked)};
    judge(asked);
  }

  // Until each host that is expected has come there or failed. Tells of each; counts them.
  [[nodiscard]] base::Task<void> settle(base::Duration timeout, WavePlan& plan, ExitCode& code) {
    auto& clock = session_.runtime.clock;
    const auto deadline = clock.now() + timeout;
    while (!pending_.empty() && !failure_ && clock.now() < deadline) {
      co_await changed_.waitUntil(clock, std::min(deadline, clock.now() + betweenLooks));
      dropThoseInTrouble();
    }
    if (failure_) std::rethrow_exception(failure_);
    for (const auto& [name, host] : std::exchange(pending_, {}))
      fail(ExitCode::timedOut, fmt::format("host {} is not {} after {}: {}", name, textOf(goal_), ageText(timeout),
                                           isOneShot() ? "no Event tells how it ended" : host.standing));
    plan.came(std::exchange(came_, 0));
    plan.failed(std::exchange(failed_, 0));
    code = together(code, std::exchange(code_, ExitCode::done));
  }

 private:
  struct Expected {
    std::uint64_t version = 0;
    std::string standing = {};
    std::optional<base::MonoTime> errorSince = {};
  };

  [[nodiscard]] bool isOneShot() const { return goal_.what == Goal::What::oneShot; }

  base::Task<void> follow() {
    try {
      const FeedQuery query{.resource = kube::Resource::of(isOneShot() ? kube::Event::info : api::BareMetalHost::info),
                            .namespace_ = session_.namespace_};
      co_await Feed::follow(session_, query, std::nullopt, [this](const Change& change) { return see(change); });
    } catch (const base::Cancelled&) {
      throw;
    } catch (...) {
      failure_ = std::current_exception();
      changed_.notifyAll();
    }
  }

  bool see(const Change& change) {
    if (change.what == Change::What::synced) {
      isSynced_ = true;
      changed_.notifyAll();
      return false;
    }
    if (isOneShot()) return seeEvent(change), false;
    const auto found = pending_.find(json::textAt(change.object, {"metadata", "name"}));
    if (found == pending_.end()) return false;
    if (change.what == Change::What::deleted) {
      fail(ExitCode::failed, fmt::format("host {} was deleted; it will never be {}", found->first, textOf(goal_)));
      return drop(found), false;
    }
    try {
      judge(kube::decodeObject<api::BareMetalHost>(change.object));
    } catch (const json::DecodeError& error) {
      fail(ExitCode::failed, fmt::format("host {}: {}", found->first, error.what()));
      drop(found);
    }
    return false;
  }

  // Those that are there at the start tell of an earlier one.
  void seeEvent(const Change& change) {
    const bool isNews = isSynced_ && change.what != Change::What::deleted;
    if (!isNews || json::textAt(change.object, {"involvedObject", "kind"}) != api::BareMetalHost::info.kind) return;
    const auto found = pending_.find(json::textAt(change.object, {"involvedObject", "name"}));
    const auto isDone = hasDone(goal_, json::textAt(change.object, {"reason"}));
    if (found == pending_.end() || !isDone) return;
    if (*isDone) {
      ++came_;
      session_.terminal.say(fmt::format("host {} is {}", found->first, textOf(goal_)));
    } else {
      fail(ExitCode::failed,
           fmt::format("host {} is not {}: {}", found->first, textOf(goal_), json::textAt(change.object, {"message"})));
    }
    drop(found);
  }

  void judge(const api::BareMetalHost& host) {
    const auto found = pending_.find(host.metadata.name);
    if (found == pending_.end() || versionOf(host) < found->second.version) return;
    auto& expected = found->second;
    expected.standing = standing(host, session_.runtime.clock.wall());
    if (host.status.errorMessage.empty())
      expected.errorSince.reset();
    else if (!expected.errorSince)
      expected.errorSince = session_.runtime.clock.now();
    if (reached(goal_, host)) {
      ++came_;
      session_.terminal.say(fmt::format("host {} is {}", host.metadata.name, textOf(goal_)));
      drop(found);
    }
  }

  // An error that is told and gone again, of a slow BMC say, is none.
  void dropThoseInTrouble() {
    for (auto at = pending_.begin(); at != pending_.end();) {
      const auto current = at++;
      const auto& [name, expected] = *current;
      if (!expected.errorSince || session_.runtime.clock.now() - *expected.errorSince < errorCounts) continue;
      fail(ExitCode::failed, fmt::format("host {} is not {}: {}", name, textOf(goal_), expected.standing));
      pending_.erase(current);
    }
  }

  void drop(std::map<std::string, Expected>::iterator at) {
    pending_.erase(at);
    changed_.notifyAll();
  }

  void fail(ExitCode code, const std::string& why) {
    ++failed_;
    code_ = together(code_, session_.report(Failure(code, why)));
  }

  Session& session_;
  Goal goal_;
  base::Notifier changed_;
  base::TaskGroup tasks_;
  std::map<std::string, Expected> pending_;
  std::size_t came_ = 0, failed_ = 0;
  ExitCode code_ = ExitCode::done;
  bool isSynced_ = false;
  std::exception_ptr failure_;
};

// Tells the hosts of a wave what they shall do, a few at a time.
class WaveOrders {
 public:
  WaveOrders(Session& session, WaveWatch& watch, WavePlan& plan, const Planner& plannedFor, const Goal& goal)
      : session_(session),
        watch_(watch),
        plan_(plan),
        plannedFor_(plannedFor),
        goal_(goal),
        answered_(session.runtime.executor),
        requests_(session.runtime.executor, session.runtime.log) {}

  // Until so many places are taken or no host is left to try.
  [[nodiscard]] base::Task<void> give(std::size_t places, ExitCode& code) {
    for (std::size_t taken = 0; taken < places && plan_.hasNext();) {
      for (auto room = std::min(places - taken, mostTogether); room > 0 && plan_.hasNext(); --room) {
        ++open_;
        requests_.spawn("order a host", tell(plan_.take()));
      }
      while (open_ > 0) co_await answered_.wait();
      if (failure_) std::rethrow_exception(failure_);
      taken += std::exchange(placed_, 0);
      code = together(code, std::exchange(code_, ExitCode::done));
    }
  }
  [[nodiscard]] base::Task<void> stop() { return requests_.close(); }

 private:
  base::Task<void> tell(std::string name) {
    try {
      if (co_await takesPlace(name)) ++placed_;
      plan_.letGo(name);
    } catch (const base::Cancelled&) {
      throw;
    } catch (...) {
      failure_ = std::current_exception();
    }
    --open_;
    answered_.notifyAll();
  }

  // False: it is there already.
  base::Task<bool> takesPlace(std::string name) {
    try {
      const auto before = co_await findHost(session_, name);
      const auto planned = plannedFor_(before);
      if (planned.refusal.empty() && planned.patch.empty() && reached(goal_, before)) {
        session_.terminal.say(fmt::format("host {} is {} already", name, textOf(goal_)));
        plan_.came(1);
        co_return false;
      }
      watch_.prepare(name);
      watch_.expect(co_await askHost(session_, before, planned));
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {
      watch_.forget(name);
      plan_.failed(1);
      code_ = together(code_, session_.report(error));
    }
    co_return true;  // a request that failed may have been carried out all the same
  }

  Session& session_;
  WaveWatch& watch_;
  WavePlan& plan_;
  const Planner& plannedFor_;
  const Goal& goal_;
  base::Notifier answered_;
  base::TaskGroup requests_;
  std::size_t open_ = 0, placed_ = 0;
  ExitCode code_ = ExitCode::done;
  std::exception_ptr failure_;
};

base::Task<ExitCode> askAllWaves(Session& session, WaveWatch& watch, WaveOrders& orders, WavePlan& plan, Waves waves,
                                 base::Duration timeout) {
  ExitCode code = ExitCode::done;
  while (true) {
    co_await orders.give(waves.atOnce, code);
    co_await watch.settle(timeout, plan, code);
    session.terminal.note(plan.progress());
    if (!plan.hasNext()) co_return code;
    if (plan.hasTooManyFailures())
      co_return together(ExitCode::failed, session.report(Failure(ExitCode::failed, plan.whyStopped())));
    co_await session.runtime.clock.sleepFor(waves.pause);
  }
}

}  // namespace

base::Task<api::BareMetalHost> askHost(Session& session, api::BareMetalHost host, PowerPlan plan) {
  const auto name = host.metadata.name;
  if (!plan.refusal.empty()) throw Failure(ExitCode::failed, "host " + name + ": " + plan.refusal);
  if (!plan.patch.empty())
    host = kube::decodeObject<api::BareMetalHost>(co_await session.client.api().patch(
        kube::Resource::of(api::BareMetalHost::info), host.metadata.key(), kube::PatchType::merge, plan.patch, {},
        {.fieldManager = std::string(kManager)}));
  session.terminal.say(fmt::format("host {}: {}", name, plan.said));
  for (const auto& note : plan.notes) session.terminal.note(fmt::format("host {}: {}", name, note));
  co_return host;
}

base::Task<ExitCode> askInWaves(Session& session, std::vector<std::string> names, Planner plannedFor, Goal goal,
                                Waves waves, base::Duration timeout) {
  WavePlan plan(std::move(names), waves);
  WaveWatch watch(session, goal);
  WaveOrders orders(session, watch, plan, plannedFor, goal);
  std::exception_ptr failure;
  ExitCode code = ExitCode::failed;
  try {
    co_await watch.start();
    code = co_await askAllWaves(session, watch, orders, plan, waves, timeout);
  } catch (...) {
    failure = std::current_exception();
    if (!plan.inHand().empty()) session.terminal.note("perhaps asked: " + compactHosts(plan.inHand()));
    if (plan.hasNext()) session.terminal.note("not tried: " + compactHosts(plan.untried()));
  }
  co_await base::shielded(orders.stop());
  co_await base::shielded(watch.stop());
  if (failure) std::rethrow_exception(failure);
  co_return code;
}

}  // namespace ingot::cli
