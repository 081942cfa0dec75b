#include "kube/runtime/leader_election.hpp"

namespace ingot::kube {
namespace {

constexpr std::int64_t kLongestLease = 86'400;  // seconds: whoever wrote a longer one is not waited for
constexpr std::int64_t kWatchSeconds = 600;
constexpr base::Duration kReleaseLimit = std::chrono::seconds(2);
constexpr base::Duration kLeastTimeToStop = std::chrono::seconds(1);

using Ended = LeaderElector::Ended;

// Somebody else holds the Lease, or it is gone.
class Lost final : public base::Error {
 public:
  Lost(Ended how, std::string text) : Error(std::move(text)), how(how) {}
  Ended how;
};

Lost takenBy(const std::string& holder) { return {Ended::leaseTaken, "held by \"" + holder + "\""}; }

std::string holderOf(const std::optional<Lease>& lease) { return lease ? lease->spec.holderIdentity.value_or("") : ""; }

std::int64_t wholeSeconds(base::Duration d) {
  return std::max<std::int64_t>(1, std::chrono::duration_cast<std::chrono::seconds>(d).count());
}

bool sameRecord(const std::optional<Lease>& a, const std::optional<Lease>& b) {
  return a.has_value() == b.has_value() && (!a || (a->spec == b->spec && a->metadata.uid == b->metadata.uid));
}

}  // namespace

void LeaseObservation::take(std::optional<Lease> reading, base::MonoTime now) {
  if (!sameRecord(reading, lease)) unchangedSince = now;
  lease = std::move(reading);
}

bool mayTake(const LeaseObservation& seen, const std::string& identity, base::MonoTime now) {
  const std::string holder = holderOf(seen.lease);
  if (holder.empty() || holder == identity) return true;
  return now >= runsOut(seen);
}

base::MonoTime runsOut(const LeaseObservation& seen) {
  const std::int64_t told = seen.lease ? seen.lease->spec.leaseDurationSeconds.value_or(15) : 0;
  return seen.unchangedSince + std::chrono::seconds(std::clamp<std::int64_t>(told, 0, kLongestLease));
}

LeaseSpec takenLease(const std::optional<Lease>& previous, const ElectionOptions& options, base::WallTime now,
                     std::int64_t leastTerm) {
  const std::int64_t next = previous ? previous->spec.leaseTransitions.value_or(0) + 1 : 0;
  // A Lease that counts too low was deleted: the last leader may have a term that it has not written down yet.
  const std::int64_t term = next >= leastTerm ? next : leastTerm + 1;
  return {.holderIdentity = options.identity,
          .leaseDurationSeconds = wholeSeconds(options.leaseDuration),
          .acquireTime = json::MicroTime{now},
          .renewTime = json::MicroTime{now},
          .leaseTransitions = term};
}

LeaderElector::LeaderElector(base::Runtime runtime, Client& client, ElectionOptions options)
    : runtime_(runtime.named("election")), client_(client), options_(std::move(options)) {}

base::Task<LeaderElector::Ended> LeaderElector::run(Work lead) {
  co_await acquire();
  const std::int64_t term = *term_;
  runtime_.log.info("leading", {{"lease", key().text()}, {"term", term}});
  base::AbortSource stop;
  std::optional<Ended> lost;
  base::TaskGroup renewing(runtime_.executor, runtime_.log);
  renewing.spawn("renew lease", renewUntilLost(stop, lost));
  std::exception_ptr ended;
  try {
    co_await stop.run(lead(term));
  } catch (...) {
    ended = std::current_exception();
  }
  co_await renewing.close();
  term_.reset();
  if (lost) co_return *lost;
  co_await base::shielded(release());
  if (ended) std::rethrow_exception(ended);
  co_return Ended::workDone;
}

bool LeaderElector::leading() const {
  return term_.has_value() && runtime_.clock.now() < renewedAt_ + options_.renewDeadline;
}

std::string LeaderElector::lease() const { return seen_.lease ? seen_.lease->metadata.uid : std::string(); }

// --- candidate
// --------------------------------------------------------------------------------------------------------

base::Task<void> LeaderElector::acquire() {
  const base::Backoff pause{options_.retryPeriod, options_.retryPeriod, 1.0, 0.2};
  while (true) {
    std::string problem;
    try {
      if (co_await tryTake()) co_return;
      if (co_await untilTakeable()) continue;
    } catch (const base::Cancelled&) {
      throw;
    } catch (const std::exception& e) {
      problem = e.what();
    }
    if (!problem.empty()) runtime_.log.warn("cannot read or take the lease", {{"error", problem}});
    co_await runtime_.clock.sleepFor(pause.delay(0, runtime_.random));
  }
}

// Follows the lease until it may be taken. False: it cannot be followed any more, or there is nothing to follow.
base::Task<bool> LeaderElector::untilTakeable() {
  const auto isFree = [this] { return mayTake(seen_, options_.identity, runtime_.clock.now()); };
  if (!seen_.lease || isFree()) co_return false;  // somebody is faster, again and again: not without a pause
  auto stream =
      co_await client_.api().watch(Resource::of(Lease::info), {.namespace_ = options_.namespace_,
                                                               .fieldSelector = "metadata.name=" + options_.name,
                                                               .resourceVersion = seen_.lease->metadata.resourceVersion,
                                                               .timeoutSeconds = kWatchSeconds});
  while (!isFree()) {
    const auto event = co_await nextBefore(stream, runsOut(seen_));
    if (!event) co_return isFree();
    if (json::textAt(event->object, {"metadata", "name"}) != options_.name) {
      if (event->type == WatchEvent::Type::error) co_return false;
      continue;  // a bookmark
    }
    if (event->type == WatchEvent::Type::deleted) co_return false;
    observe(decodeObject<Lease>(event->object));
  }
  co_return true;
}

// nullopt: none came before, or the server has ended the watch.
base::Task<std::optional<WatchEvent>> LeaderElector::nextBefore(WatchStream& stream, base::MonoTime deadline) {
  const base::Duration limit = deadline - runtime_.clock.now();
  try {
    co_return co_await base::withTimeout(runtime_.clock, limit, "following the lease", stream.next(2 * limit));
  } catch (const base::TimedOut&) {
    co_return std::nullopt;
  }
}

base::Task<bool> LeaderElector::tryTake() {
  observe(co_await client_.get<Lease>(key()));
  if (!mayTake(seen_, options_.identity, runtime_.clock.now())) co_return false;
  const std::int64_t leastTerm = options_.leastTerm ? co_await options_.leastTerm(lease()) : 0;
  const base::MonoTime sentAt = runtime_.clock.now();
  Lease wanted = seen_.lease.value_or(Lease{.metadata = {.name = options_.name, .namespace_ = options_.namespace_}});
  wanted.spec = takenLease(seen_.lease, options_, runtime_.clock.wall(), leastTerm);
  Lease stored;
  try {
    stored = seen_.lease ? co_await client_.update(std::move(wanted)) : co_await client_.create(std::move(wanted));
  } catch (const Error& e) {
    const bool raced = e.code() == Error::Code::conflict || e.code() == Error::Code::alreadyExists;
    if (!raced) throw;
    co_return false;  // somebody else was faster
  }
  term_ = stored.spec.leaseTransitions.value_or(0);
  renewedAt_ = sentAt;
  observe(std::move(stored));
  co_return true;
}

void LeaderElector::observe(std::optional<Lease> lease) {
  const std::string holder = holderOf(lease);
  if (holder != holder_ && holder != options_.identity && !holder.empty())
    runtime_.log.info("another one leads", {{"holder", holder}});
  holder_ = holder;
  seen_.take(std::move(lease), runtime_.clock.now());
}

// --- leader
// -----------------------------------------------------------------------------------------------------------

base::Task<void> LeaderElector::renewUntilLost(base::AbortSource& stop, std::optional<Ended>& lost) {
  while (true) {
    const base::MonoTime deadline = renewedAt_ + options_.renewDeadline;
    co_await runtime_.clock.sleepUntil(std::min(runtime_.clock.now() + options_.retryPeriod, deadline));
    const base::MonoTime now = runtime_.clock.now();
    std::string problem = now >= deadline ? "not renewed in time" : "";
    if (now >= deadline) lost = Ended::leaseNotRenewed;
    try {
      const base::Duration limit = std::min(deadline - now, options_.renewDeadline / 2);  // leave time for another try
      if (!lost) co_await base::withTimeout(runtime_.clock, limit, "renewing the lease", renewOnce());
    } catch (const Lost& e) {
      problem = e.what();
      lost = e.how;
    } catch (const base::Cancelled&) {
      throw;
    } catch (const std::exception& e) {  // whatever it is: who no longer renews must not go on leading
      problem = e.what();
    }
    if (!problem.empty()) runtime_.log.warn(lost ? "leadership lost" : "renewing fails", {{"error", problem}});
    if (!lost) continue;
    term_.reset();
    stop.abort();
    co_return co_await endProcessUnlessStopped();
  }
}

// Gives the work as much time to end as run() does, and is cancelled when it has ended. A process that stood still for
// longer than the lease gets a moment too: it has not tried to stop yet, and what asks leading() changes nothing
// meanwhile.
base::Task<void> LeaderElector::endProcessUnlessStopped() {
  const base::MonoTime now = runtime_.clock.now();
  const base::MonoTime nextMayLead = renewedAt_ + options_.leaseDuration;
  const base::MonoTime limit = std::min(now + options_.leaseDuration - options_.renewDeadline, nextMayLead);
  co_await runtime_.clock.sleepUntil(std::max(limit, now + kLeastTimeToStop));
  runtime_.log.error("the work of a lost leadership does not end: the process does", {{"lease", key().text()}});
  options_.endProcess();
}

base::Task<void> LeaderElector::renewOnce() {
  const base::MonoTime sentAt = runtime_.clock.now();
  auto stored = co_await tryRenew();
  if (!stored) {  // moved on, perhaps by a renewal of our own whose answer was lost
    observe(co_await client_.get<Lease>(key()));
    if (holderOf(seen_.lease) != options_.identity) throw takenBy(holder_);
    stored = co_await tryRenew();
  }
  if (!stored) co_return;
  renewedAt_ = sentAt;
  observe(std::move(stored));
}

// nullopt: the lease is not what we think it is.
base::Task<std::optional<Lease>> LeaderElector::tryRenew() {
  Lease wanted = *seen_.lease;
  wanted.spec.renewTime = json::MicroTime{runtime_.clock.wall()};
  try {
    co_return co_await client_.update(std::move(wanted));
  } catch (const Error& e) {
    if (e.code() == Error::Code::notFound) throw Lost(Ended::leaseDeleted, "the lease was deleted");
    if (e.code() != Error::Code::conflict) throw;
  }
  co_return std::nullopt;
}

base::Task<void> LeaderElector::release() {
  try {
    co_await base::withTimeout(runtime_.clock, kReleaseLimit, "releasing the lease", releaseOurs());
    runtime_.log.info("lease released");
  } catch (const std::exception& e) {
    runtime_.log.warn("the lease is not released, it will run out", {{"error", e.what()}});
  }
}

// A renewal that was cut off may have reached the server: then the lease is newer than we think, and still ours.
base::Task<void> LeaderElector::releaseOurs() {
  if (co_await tryRelease()) co_return;
  observe(co_await client_.get<Lease>(key()));
  if (holderOf(seen_.lease) != options_.identity) throw takenBy(holder_);
  if (!co_await tryRelease()) throw Lost(Ended::leaseTaken, "it changes under our hands");
}

// False: the lease is not what we think it is.
base::Task<bool> LeaderElector::tryRelease() {
  Lease wanted = *seen_.lease;
  wanted.spec.holderIdentity = "";
  wanted.spec.leaseDurationSeconds = 1;
  wanted.spec.renewTime = json::MicroTime{runtime_.clock.wall()};
  try {
    observe(co_await client_.update(std::move(wanted)));
  } catch (const Error& e) {
    if (e.code() != Error::Code::conflict) throw;
    co_return false;
  }
  co_return true;
}

}  // namespace ingot::kube
