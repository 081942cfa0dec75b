#include "kube/client/retry.hpp"

#include "kube/core/webhook_error.hpp"

namespace ingot::kube {
namespace {

enum class Fate { notDone, neverArrived, perhapsDone, answered };

Fate fateOf(const Error& e) {
  using Code = Error::Code;
  switch (e.code()) {
    case Code::unreachable: return Fate::neverArrived;
    case Code::tooManyRequests: return Fate::notDone;
    case Code::internal:
      if (isAdmissionUnreached(e)) return Fate::notDone;
      [[fallthrough]];
    case Code::unavailable:
    case Code::serverTimeout: return e.retryAfter() ? Fate::notDone : Fate::perhapsDone;
    case Code::interrupted: return Fate::perhapsDone;
    case Code::badRequest:
    case Code::unauthorized:
    case Code::forbidden:
    case Code::notFound:
    case Code::methodNotAllowed:
    case Code::conflict:
    case Code::alreadyExists:
    case Code::gone:
    case Code::tooLarge:
    case Code::unsupportedMediaType:
    case Code::invalid:
    case Code::untrusted:
    case Code::badAnswer: return Fate::answered;
  }
  return Fate::answered;
}

}  // namespace

std::optional<base::Duration> retryDelay(const RetryPolicy& policy, const Error& error, bool isRead, unsigned attempt,
                                         base::Random& random) {
  if (attempt + 1 >= policy.attempts) return std::nullopt;
  const base::Duration backoff = policy.backoff.delay(attempt, random);
  switch (fateOf(error)) {
    case Fate::answered: return std::nullopt;
    case Fate::neverArrived: return backoff;
    case Fate::perhapsDone: return isRead ? std::optional(backoff) : std::nullopt;
    case Fate::notDone:
      return error.retryAfter() ? std::min(*error.retryAfter(), policy.longestRetryAfter) + backoff : backoff;
  }
  return std::nullopt;
}

}  // namespace ingot::kube
