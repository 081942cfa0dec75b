#include "coordinator/host/held_deletions.hpp"

#include "coordinator/host/retry.hpp"

namespace ingot::coordinator::host {
namespace {

// A host that is held is looked at several times a minute. After a longer pause (it was paused) it is another wait.
constexpr base::Duration holdForgottenAfter = std::chrono::minutes(2);

}  // namespace

base::Duration HeldDeletions::noteHeld(const kube::ObjectKey& host, State step) {
  const base::MonoTime now = runtime_.clock.now();
  Hold& hold = since_.try_emplace({host, step}, Hold{now, now}).first->second;
  if (now - hold.last > holdForgottenAfter) hold.since = now;
  hold.last = now;
  return now - hold.since;
}

void HeldDeletions::forget(const kube::ObjectKey& host) {
  std::erase_if(since_, [&](const auto& item) { return item.first.first == host; });
}

base::Duration HeldDeletions::retryDelay(base::Duration held) {
  return jittered(std::clamp(held, shortestHeldDelay, heldDeletionDelay), runtime_.random);
}

}  // namespace ingot::coordinator::host
