#include "coordinator/managers/standby.hpp"

#include "kube/core/error.hpp"

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
      deployments_(runtime_, client.api(), options_.leases.managers, {options_.leases.namespace_, options_.pod}),
      events_(runtime_, client,
              {.component = "ingot-coordinator",
               .reportingComponent = "ingot.dev/coordinator",
               .reportingInstance = options_.pod.empty() ? "ingot-coordinator" : options_.pod}),
      changed_(runtime_.executor),
      subscriptions_(deployments_.onChange([this] {
        if (alone_) giveUp(deployments_.objections());
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
    std::string others;
    try {
      others = co_await whoActs();
    } catch (const kube::Error& error) {
      others = fmt::format("unknown, {}", error.what());
    }
    tell(others);
    if (others.empty()) co_return;
    static_cast<void>(co_await changed_.waitUntil(runtime_.clock, next));
  }
}

base::Task<void> Standby::workAlone(const Work& work) {
  base::AbortSource stop;
  base::TaskGroup watching(runtime_.executor, runtime_.log);
  alone_ = true;
  watching.spawn("Metal3's managers", watch(stop));
  std::exception_ptr failure;
  try {
    co_await stop.run(work());
  } catch (...) {
    failure = std::current_exception();
  }
  co_await watching.close();
  if (failure) std::rethrow_exception(failure);
}

// A renewal that fails stops nobody: while the API does not answer our own Lease runs out, too.
base::Task<void> Standby::watch(base::AbortSource& stop) {
  bool isTold = false;
  while (back_.empty()) {
    static_cast<void>(co_await changed_.waitUntil(runtime_.clock, runtime_.clock.now() + options_.whileWorking));
    try {
      giveUp(co_await whoActs());
      isTold = false;
    } catch (const kube::Error& error) {
      if (!std::exchange(isTold, true))
        runtime_.log.warn("the Leases of Metal3's managers are not renewed", {{"error", error.what()}});
    }
  }
  stop.abort();
}

// From here on nothing that we send changes anything.
void Standby::giveUp(std::string why) {
  if (why.empty() || !back_.empty()) return;
  alone_ = false;
  back_ = std::move(why);
  tell(back_);
}

// The Event is written, or not in time.
base::Task<void> Standby::told() {
  try {
    co_await base::shielded(base::withTimeout(runtime_.clock, mostForEvents, "Events", events_.flushed()));
  } catch (const base::TimedOut&) {  // the log has it
  }
}

// Leases only where no Deployment is ready: one that works shall keep what it has.
base::Task<std::string> Standby::whoActs() {
  std::string others = deployments_.objections();
  if (!others.empty()) co_return others;
  co_return co_await leases_.hold();
}

void Standby::tell(std::string text) {
  if (text == waitsFor_) return;
  waitsFor_ = std::move(text);
  if (waitsFor_.empty()) return runtime_.log.info("none of Metal3's managers acts");
  runtime_.log.warn("stands by: managers of Metal3 may act on the same objects", {{"which", waitsFor_}});
  events_.warning(referenceTo({options_.leases.namespace_, options_.lease}), "StandsBy",
                  fmt::format("managers of Metal3 may act on the same objects: {}", waitsFor_));
}

}  // namespace ingot::coordinator::managers
