#include "bmc/traffic.hpp"

#include "base/sync.hpp"
#include "bmc/error.hpp"

namespace ingot::bmc {

struct Traffic::Waiter {
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

Traffic::~Traffic() = default;

base::Task<void> Traffic::enter(Lane lane) {
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
  if (!everRan_ || options_.minInterval.count() == 0) co_return;
  try {
    co_await runtime_.clock.sleepUntil(lastEnd_ + options_.minInterval);
  } catch (...) {
    leave();
    throw;
  }
}

Traffic::Waiter* Traffic::mostUrgent() const {
  for (const auto& queue : lanes_)
    for (const auto& waiter : queue)
      if (!waiter->admitted) return waiter.get();
  return nullptr;
}

void Traffic::leave() {
  --running_;
  lastEnd_ = runtime_.clock.now();
  everRan_ = true;
  wakeNext();
}

void Traffic::wakeNext() {
  while (running_ < options_.concurrency) {
    Waiter* next = mostUrgent();
    if (next == nullptr) return;
    next->admitted = true;
    ++running_;
    next->granted.notifyAll();
  }
}

void Traffic::answered() {
  failures_ = 0;
  openUntil_ = {};
}

void Traffic::failed() {
  ++failures_;
  if (failures_ < options_.failuresToOpen) return;
  openUntil_ = runtime_.clock.now() + options_.breaker.delay(failures_ - options_.failuresToOpen, runtime_.random);
}

std::size_t Traffic::waiting() const {
  std::size_t count = 0;
  for (const auto& queue : lanes_) count += queue.size();
  return count;
}

std::shared_ptr<Traffic> TrafficPool::of(const Address& address) {
  const bool ipmi = address.traits().protocol == Protocol::ipmi;
  const std::string key = ipmi ? fmt::format("ipmi {} {}", address.host, address.ipmiPort()) : address.baseUrl();
  std::erase_if(traffics_, [](const auto& entry) { return entry.second.expired(); });
  auto traffic = traffics_[key].lock();
  if (!traffic) {
    traffic = std::make_shared<Traffic>(runtime_, options_);
    traffics_[key] = traffic;
  }
  return traffic;
}

}  // namespace ingot::bmc
