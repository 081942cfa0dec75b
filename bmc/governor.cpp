#include "bmc/governor.hpp"

#include "base/sync.hpp"

namespace ingot::bmc {

struct Governor::Waiter {
  explicit Waiter(base::Executor executor) : granted(std::move(executor)) {}
  base::Notifier granted;
  bool admitted = false;
};

namespace {

// Removes a waiter that gave up, so that no turn is handed to nobody.
template <class Queue, class Entry>
class Leaving {
 public:
  Leaving(Queue& queue, Entry entry) : queue_(queue), entry_(std::move(entry)) {}
  ~Leaving() { std::erase(queue_, entry_); }

 private:
  Queue& queue_;
  Entry entry_;
};

}  // namespace

Governor::Governor(base::Runtime runtime, GovernorOptions options) : runtime_(std::move(runtime)), options_(options) {}

Governor::~Governor() = default;

base::Task<Governor::Turn> Governor::enter(Lane lane) {
  refuseEarly(lane);
  auto& queue = lanes_[static_cast<std::size_t>(lane)];
  if (queue.size() >= options_.queueLimit) throw Error(Error::Code::busy, "too many requests are waiting for this BMC");

  if (running_ >= options_.concurrency || mostUrgent() != nullptr) {
    const auto self = std::make_shared<Waiter>(runtime_.executor);
    queue.push_back(self);
    const Leaving leaving(queue, self);
    try {
      while (!self->admitted) co_await self->granted.wait();
    } catch (...) {
      if (self->admitted) leave();  // the turn came while we were being cancelled: pass it on
      throw;
    }
  } else {
    ++running_;
  }

  Turn turn(*this);
  if (everRan_ && options_.minInterval.count() > 0) co_await runtime_.clock.sleepUntil(lastEnd_ + options_.minInterval);
  refuseEarly(lane);  // what was learnt while we waited
  co_return turn;
}

void Governor::refuseEarly(Lane lane) const {
  if (lockedOut())
    throw Error(Error::Code::lockedOut,
                "the BMC refused these credentials; they are not tried again until they change");
  const bool mayProbe = lane == Lane::fencing || lane == Lane::operatorCommand;
  if (circuitOpen() && !mayProbe)
    throw Error(Error::Code::unreachable,
                fmt::format("the BMC did not answer {} times in a row; waiting before the next try", failures_));
}

Governor::Waiter* Governor::mostUrgent() const {
  for (const auto& queue : lanes_)
    for (const auto& waiter : queue)
      if (!waiter->admitted) return waiter.get();
  return nullptr;
}

void Governor::leave() {
  --running_;
  lastEnd_ = runtime_.clock.now();
  everRan_ = true;
  wakeNext();
}

void Governor::wakeNext() {
  while (running_ < options_.concurrency) {
    Waiter* next = mostUrgent();
    if (next == nullptr) return;
    next->admitted = true;
    ++running_;
    next->granted.notifyAll();
  }
}

Governor::Turn::~Turn() {
  if (governor_ != nullptr) governor_->leave();
}

void Governor::Turn::succeeded() {
  governor_->failures_ = 0;
  governor_->refusals_ = 0;
  governor_->openUntil_ = {};
}

void Governor::Turn::failed(Error::Code code) {
  Governor& governor = *governor_;
  const auto now = governor.runtime_.clock.now();
  switch (code) {
    case Error::Code::unreachable:
    case Error::Code::timeout:
    case Error::Code::outcomeUnknown:
      ++governor.failures_;
      if (governor.failures_ >= governor.options_.failuresToOpen) {
        const unsigned attempt = governor.failures_ - governor.options_.failuresToOpen;
        governor.openUntil_ = now + governor.options_.breaker.delay(attempt, governor.runtime_.random);
      }
      return;
    case Error::Code::authenticationFailed: {
      base::Duration wait = governor.options_.lockout;
      for (unsigned i = 0; i < governor.refusals_ && wait < governor.options_.lockoutCap; ++i) wait *= 5;
      governor.lockedUntil_ = now + std::min(wait, governor.options_.lockoutCap);
      ++governor.refusals_;
      return;
    }
    case Error::Code::notPermitted: return;  // says nothing of the BMC
    case Error::Code::lockedOut:
    case Error::Code::tls:
    case Error::Code::busy:
    case Error::Code::unsupported:
    case Error::Code::refused:
    case Error::Code::notReached:
    case Error::Code::ambiguousSystem:
    case Error::Code::protocol:
      governor.failures_ = 0;  // it does answer
      governor.openUntil_ = {};
      return;
  }
}

void Governor::credentialsChanged() {
  refusals_ = 0;
  lockedUntil_ = {};
  openUntil_ = {};
  failures_ = 0;
}

bool Governor::circuitOpen() const { return runtime_.clock.now() < openUntil_; }
bool Governor::lockedOut() const { return runtime_.clock.now() < lockedUntil_; }

std::size_t Governor::waiting() const {
  std::size_t count = 0;
  for (const auto& queue : lanes_) count += queue.size();
  return count;
}

}  // namespace ingot::bmc
