#include "coordinator/managers/standby.hpp"

namespace ingot::coordinator::managers {
namespace {

constexpr base::Duration firstLook = std::chrono::seconds(10);  // one that takes longer is told
constexpr base::Duration mostForEvents = std::chrono::seconds(1);

kube::ObjectReference referenceTo(const kube::ObjectKey& lease) {
  return {.kind = std::string(kube::Lease::info.kind),
          .namespace_ = lease.namespace_,
          .name = lease.name,
          .apiVersion = kube::Lease::info.apiVersion()};
}

}  // namespace

Standby::Standby(base::Runtime runtime, kube::Client& client, StandbyOptions options)
    : runtime_(std::move(runtime)),
      options_(std::move(options)),
      leases_(runtime_, client, options_.leases),
      deployments_(runtime_, client.api(),
                   {.managers = options_.leases.managers,
                    .own = {options_.leases.namespace_, options_.pod},
                    .namespaces = options_.namespaces}),
      events_(runtime_, client,
              {.component = "ingot-coordinator",
               .reportingComponent = "ingot.dev/coordinator",
               .reportingInstance = options_.pod.empty() ? "ingot-coordinator" : options_.pod}),
      changed_(runtime_.executor),
      subscriptions_(deployments_.onChange([this] {
        if (alone_) giveUp(deployments_.knownObjections());
        changed_.notifyAll();
      })) {}

base::Task<void> Standby::run(Work work) {
  base::TaskGroup beside(runtime_.executor, runtime_.log);
  beside.spawn("events of standing by", events_.run());
  deployments_.start(beside);
  std::exception_ptr failure;
  try {
    co_await untilAlone();
    co_await workAlone(work);
  } catch (...) {
    failure = std::current_exception();
  }
  alone_ = false;
  waitsFor_.clear();
  if (!back_.empty()) co_await told();
  co_await beside.close();
  if (!back_.empty()) throw base::Error("stops acting: " + back_);
  if (failure) std::rethrow_exception(failure);
}

base::Task<void> Standby::untilAlone() {
  while (true) {
    try {
      co_await base::withTimeout(runtime_.clock, firstLook, "looking for Metal3's managers", deployments_.synced());
      break;
    } catch (const base::TimedOut&) {
      tell("unknown, their Deployments cannot be listed");
    }
  }
  while (true) {
    const auto next = runtime_.clock.now() + options_.whileWaiting;
    const Look now = co_await lookOrTellWhyNot();
    tell(now.others);
    if (now.others.empty() && now.isOver) co_return;
    static_cast<void>(co_await changed_.waitUntil(runtime_.clock, next));
  }
}

base::Task<void> Standby::workAlone(const Work& work) {
  base::TaskGroup watching(runtime_.executor, runtime_.log);
  alone_ = true;
  watching.spawn("Metal3's managers", watch());
  watching.spawn("Deployments of Metal3's managers", watchDeployments());
  std::exception_ptr failure;
  try {
    co_await stop_.run(work());
  } catch (...) {
    failure = std::current_exception();
  }
  co_await watching.close();
  if (failure) std::rethrow_exception(failure);
}

// The first look is at once: one may have come up while the last one was under way.
base::Task<void> Standby::watch() {
  base::MonoTime known = runtime_.clock.now();
  while (back_.empty()) {
    const Look now = co_await lookOrTellWhyNot();
    if (now.isKnown) known = runtime_.clock.now();
    if (now.isKnown || runtime_.clock.now() >= known + options_.mostUnknown) giveUp(now.others);
    if (!back_.empty()) co_return;
    const auto pause = now.isOver ? options_.whileWorking : options_.whileWaiting;
    static_cast<void>(co_await changed_.waitUntil(runtime_.clock, runtime_.clock.now() + pause));
  }
}

// Beside the looks, which may take as long as the API does for a Lease.
base::Task<void> Standby::watchDeployments() {
  while (back_.empty()) {
    co_await changed_.wait();
    try {
      giveUp(co_await deployments_.objections());
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {  // as of a look, which comes now, too
      runtime_.log.debug("it cannot be told whether Metal3's managers act", {{"error", error.what()}});
    }
  }
}

// Leases only where no Deployment works: one that does shall keep what it has.
base::Task<Standby::Look> Standby::look() {
  std::string others = co_await deployments_.objections();
  if (!others.empty()) {
    isOneAtWork_ = true;
    co_return Look{std::move(others)};
  }
  if (std::exchange(isOneAtWork_, false)) ended_ = runtime_.clock.now();
  if (ended_ && runtime_.clock.now() < *ended_ + options_.ending)
    co_return Look{"a Deployment whose pods may still be ending"};
  const auto leases = co_await leases_.hold(deployments_.namespaces());
  if (!leases.holders.empty()) co_return Look{leases.holders};
  co_return Look{co_await deployments_.objections(), !leases.isOvertaken};  // which may have changed meanwhile
}

base::Task<Standby::Look> Standby::lookOrTellWhyNot() {
  try {
    co_return co_await look();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    runtime_.log.debug("it cannot be told whether Metal3's managers act", {{"error", error.what()}});
    co_return Look{.others = fmt::format("unknown, {}", error.what()), .isOver = false, .isKnown = false};
  }
}

// From here on no request of ours changes anything, and what we do ends.
void Standby::giveUp(std::string why) {
  if (why.empty() || !back_.empty()) return;
  alone_ = false;
  back_ = std::move(why);
  tell(back_);
  stop_.abort();
}

// The Event is written, or not in time.
base::Task<void> Standby::told() {
  try {
    co_await base::shielded(base::withTimeout(runtime_.clock, mostForEvents, "Events", events_.flushed()));
  } catch (const base::TimedOut&) {  // the log has it
  }
}

void Standby::tell(std::string text) {
  if (text == waitsFor_) return;
  waitsFor_ = std::move(text);
  if (waitsFor_.empty()) return runtime_.log.info("none of Metal3's managers acts");
  runtime_.log.warn("stands by: managers of Metal3 may act on the same objects", {{"which", waitsFor_}});
  events_.warning(referenceTo({options_.leases.namespace_, options_.leases.ownLease}), "StandsBy",
                  fmt::format("managers of Metal3 may act on the same objects: {}", waitsFor_));
}

}  // namespace ingot::coordinator::managers
