#include "coordinator/ipam/retries.hpp"

#include <algorithm>

namespace ingot::coordinator::ipam {

namespace {

constexpr base::Backoff kRetryBackoff{std::chrono::milliseconds(100), std::chrono::minutes(1)};
constexpr base::Duration kBetweenTries = std::chrono::seconds(1);

}  // namespace

Retries::Retries(base::Runtime runtime, RetriesWorld world)
    : world_(std::move(world)),
      controller_(std::move(runtime),
                  {.name = "ippool-retries", .concurrency = 1, .backoff = kRetryBackoff, .metrics = &world_.page},
                  *this) {}

void Retries::note(const kube::ObjectKey& pool, const std::string& address) {
  ++tries_[{pool, std::nullopt}].freed;
  if (const auto certain = base::IpAddress::parse(address)) ++tries_[{pool, certain}].freed;
  controller_.queue().add(pool, kube::Priority::change, kBetweenTries);
}

// Who asks for a certain address comes before those whom another one suits as well.
base::Task<kube::Next> Retries::reconcile(kube::ObjectKey pool) {
  const RefusedClaims::Line any{pool, std::nullopt};
  for (auto at = tries_.upper_bound(any); at != tries_.end() && at->first.pool == pool;)
    at = goOn(at->first, at->second) ? std::next(at) : tries_.erase(at);
  if (const auto at = tries_.find(any); at != tries_.end() && !goOn(any, at->second)) tries_.erase(at);
  const auto left = tries_.lower_bound(any);
  const bool isOver = left == tries_.end() || left->first.pool != pool;
  co_return isOver ? kube::Next::onChange() : kube::Next::after(kBetweenTries);
}

// A claim whose pass is yet to come may take the address. One that has had its pass and left it may be unable to: its
// Cluster is paused, or the API refuses its address; the next ones are called in growing numbers.
bool Retries::goOn(const RefusedClaims::Line& line, Try& now) {
  const auto isAtHand = [this](const Place& place) { return atHand_.contains({place.kind, place.claim}); };
  if (std::ranges::any_of(now.called, isAtHand)) return true;
  const bool isFree = world_.isFree(line);  // first, as it may throw: whom to call next is not lost then
  const bool isAnew = now.freed > 0 || now.called.empty();
  const std::size_t most = isAnew ? std::exchange(now.freed, 0) : 2 * now.called.size();
  const auto last = isAnew ? std::nullopt : std::optional(now.called.back());
  now.called = world_.refused.next(line, last, most);
  if (now.called.empty() || !isFree) return false;
  for (const Place& place : now.called) {
    atHand_.emplace(place.kind, place.claim);
    world_.call(place);
  }
  return true;
}

}  // namespace ingot::coordinator::ipam
