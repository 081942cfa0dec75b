// At most one of several processes leads, by a Lease. Nobody's wall clock is trusted: a candidate takes over only after
// it has watched the lease stand still for the lease's whole duration on its own monotonic clock, and the leader stops
// before that, counted from when it sent its last successful renewal. A leader whose work does not stop in time ends
// the process. Candidates follow the lease by a watch: they take it as soon as it is given up or has run out.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "kube/client/client.hpp"
#include "kube/core/lease.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

namespace ingot::kube {

struct ElectionOptions {
  std::string namespace_ = "default";
  std::string name;
  std::string identity;  // unique to this process: <host>_<uuid>
  base::Duration leaseDuration = std::chrono::seconds(15);
  base::Duration renewDeadline = std::chrono::seconds(10);  // no renewal for so long: leadership is over
  base::Duration retryPeriod = std::chrono::seconds(2);
  // No term may be lower: what earlier leaders have left in the world, for when their Lease was deleted, and what came
  // from elsewhere. Asked before each taking with the uid of the Lease, "" when there is none; empty: any.
  std::function<base::Task<std::int64_t>(std::string lease)> leastTerm = {};
  // Another one may lead by now, and our work still runs. Does not return, but in tests.
  std::function<void()> endProcess = [] { std::_Exit(EXIT_FAILURE); };
};

// What one reading of the lease means for a candidate. Pure.
struct LeaseObservation {
  std::optional<Lease> lease;       // nullopt: there is none
  base::MonoTime unchangedSince{};  // on the observer's clock

  // Another reading. One of the same record, whatever its resourceVersion, changes nothing but that.
  void take(std::optional<Lease> reading, base::MonoTime now);
};
[[nodiscard]] bool mayTake(const LeaseObservation& seen, const std::string& identity, base::MonoTime now);
// From when on it may be taken though somebody holds it, if it stays as it was seen.
[[nodiscard]] base::MonoTime runsOut(const LeaseObservation& seen);
// The record to write when taking it. Every taking raises leaseTransitions, but for the very first, and to `leastTerm`
// at least.
[[nodiscard]] LeaseSpec takenLease(const std::optional<Lease>& previous, const ElectionOptions& options,
                                   base::WallTime now, std::int64_t leastTerm = 0);

class LeaderElector {
 public:
  // All but the first: leadership is lost. A Lease that was not renewed in time may be another one's by now, or
  // nobody's.
  enum class Ended { workDone, leaseTaken, leaseDeleted, leaseNotRenewed };
  using Work = std::function<base::Task<void>(std::int64_t term)>;

  LeaderElector(base::Runtime runtime, Client& client, ElectionOptions options);

  // Waits until this process leads, then runs `lead(term)`. When leadership is lost, `lead` is cancelled and this
  // returns after it has ended: it has leaseDuration - renewDeadline for that, then the process ends. When run() is
  // cancelled or `lead` ends,
  // the lease is released, so that the next one need not wait. Exceptions of `lead` go through, after the release.
  [[nodiscard]] base::Task<Ended> run(Work lead);

  // Nobody else leads now, also when this process stood still and no timer has told of a loss yet: what changes the
  // world asks right before it does.
  [[nodiscard]] bool leading() const;
  [[nodiscard]] std::optional<std::int64_t> term() const { return term_; }  // the Lease's leaseTransitions
  [[nodiscard]] const std::string& holder() const { return holder_; }       // as last seen, for messages
  [[nodiscard]] std::string lease() const;  // the uid of the Lease as last seen; "": there was none

 private:
  [[nodiscard]] base::Task<void> acquire();
  [[nodiscard]] base::Task<bool> tryTake();
  [[nodiscard]] base::Task<bool> untilTakeable();
  [[nodiscard]] base::Task<std::optional<WatchEvent>> nextBefore(WatchStream& stream, base::MonoTime deadline);
  [[nodiscard]] base::Task<void> renewUntilLost(base::AbortSource& stop, std::optional<Ended>& lost);
  [[nodiscard]] base::Task<void> endProcessUnlessStopped();
  [[nodiscard]] base::Task<void> renewOnce();
  [[nodiscard]] base::Task<std::optional<Lease>> tryRenew();
  [[nodiscard]] base::Task<void> release();
  [[nodiscard]] base::Task<void> releaseOurs();
  [[nodiscard]] base::Task<bool> tryRelease();
  void observe(std::optional<Lease> lease);
  [[nodiscard]] ObjectKey key() const { return {options_.namespace_, options_.name}; }

  base::Runtime runtime_;
  Client& client_;
  ElectionOptions options_;
  LeaseObservation seen_;
  base::MonoTime renewedAt_{};  // when the last successful renewal was sent
  std::optional<std::int64_t> term_;
  std::string holder_;
};

}  // namespace ingot::kube
