#include "bmc/traffic.hpp"

#include "base/sync.hpp"
#include "bmc/error.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace ingot::bmc {

struct Traffic::Waiter {
  Waiter(base::Executor executor, Lane of) : granted(std::move(executor)), lane(of) {}
  base::Notifier granted;
  Lane lane;
  bool admitted = false;
};

namespace {

constexpr int mostGivenWay = 2;  // times in a row, to operators' commands

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

base::Task<std::optional<ConnectLimit::Place>> Traffic::enter(Lane lane) {
  if (shared_.connects && isRoutine(lane)) co_return co_await enterConnecting(lane);
  if (!shared_.processes) {
    co_await enterHere(lane);
    co_return std::nullopt;
  }
  // Nobody keeps a turn at the BMC while it waits for a program, nor a program's place while it waits for the BMC.
  while (true) {
    co_await shared_.processes->enterHere(lane);
    if (tryEnterHere(lane)) co_return std::nullopt;
    shared_.processes->giveBack(lane);
    co_await enterHere(lane);
    if (shared_.processes->tryEnterHere(lane)) co_return std::nullopt;
    giveBack(lane);
  }
}

base::Task<ConnectLimit::Place> Traffic::enterConnecting(Lane lane) {
  while (true) {
    {
      auto place = co_await shared_.connects->enter(lane);
      if (tryEnterHere(lane)) co_return place;
    }
    co_await enterHere(lane);
    try {
      if (auto place = co_await shared_.connects->tryEnter(lane)) co_return std::move(*place);
    } catch (...) {
      giveBack(lane);  // the turn came while we were being cancelled
      throw;
    }
    giveBack(lane);
  }
}

bool Traffic::tryEnterHere(Lane lane) {
  const bool isTooEarly = everRan_ && runtime_.clock.now() < lastEnd_ + options_.minInterval;
  if (isTooEarly || !hasRoomFor(lane) || mostUrgent() != nullptr) return false;
  begin(lane);
  return true;
}

void Traffic::leave(Lane lane) {
  leaveHere(lane);
  if (shared_.processes) shared_.processes->leaveHere(lane);
}

void Traffic::begin(Lane lane) {
  ++running_;
  if (lane == Lane::background) ++inBackground_;
}

bool Traffic::hasRoomFor(Lane lane) const {
  const bool isBehind = lane == Lane::background && options_.background > 0 && inBackground_ >= options_.background;
  return !isBehind && running_ + (isUrgent(lane) ? 0 : options_.reserved) < options_.concurrency;
}

base::Task<void> Traffic::enterHere(Lane lane) {
  if (queueOf(lane).size() >= options_.queueLimit)
    throw Error(Error::Code::busy, "too many requests are waiting for " + bmc_, Error::Origin::governor);
  for (int gave = 0;; ++gave) {
    if (!hasRoomFor(lane) || mostUrgent() != nullptr)
      co_await waitForRoom(lane, gave > 0);
    else
      begin(lane);
    if (everRan_ && options_.minInterval.count() > 0) co_await keepInterval(lane);
    if (!givesWay(lane, gave)) co_return;
    giveBack(lane);  // nothing was begun yet: it is first in its lane afterwards
  }
}

base::Task<void> Traffic::waitForRoom(Lane lane, bool isFirst) {
  auto& queue = queueOf(lane);
  const auto self = std::make_shared<Waiter>(runtime_.executor, lane);
  queue.insert(isFirst ? queue.begin() : queue.end(), self);
  if (isUrgent(lane)) askToEnd();
  const Leaving leaving(queue, self);
  try {
    while (!self->admitted) co_await self->granted.wait();
  } catch (...) {
    if (self->admitted) giveBack(lane);  // the turn came while we were being cancelled: pass it on
    throw;
  }
}

base::Task<void> Traffic::keepInterval(Lane lane) {
  try {
    co_await runtime_.clock.sleepUntil(lastEnd_ + options_.minInterval);
  } catch (...) {
    giveBack(lane);
    throw;
  }
}

std::shared_ptr<void> Traffic::whenWanted(std::function<void()> call) {
  std::erase_if(wouldEnd_, [](const auto& other) { return other.expired(); });
  auto handle = std::make_shared<std::function<void()>>(std::move(call));
  if (isUrgentWaiting())
    (*handle)();
  else
    wouldEnd_.push_back(handle);
  return handle;
}

void Traffic::askToEnd() {
  for (const auto& one : std::exchange(wouldEnd_, {}))
    if (const auto call = one.lock()) (*call)();
}

bool Traffic::isWaiting(Lane lane) const {
  return std::ranges::any_of(queueOf(lane), [](const auto& waiter) { return !waiter->admitted; });
}

// What a command does is looked at each few seconds. Where the interval is longer than that, no power of the other
// hosts would be read as long as commands go on. Lists, which may take minutes, wait all the same, and no fencing
// waits.
bool Traffic::givesWay(Lane lane, int gave) const {
  if (isUrgent(lane)) return false;
  const bool keeps = gave >= mostGivenWay && lane != Lane::background;
  return isWaiting(Lane::fencing) || (!keeps && isWaiting(Lane::operatorCommand));
}

// Of those that there is room for.
Traffic::Waiter* Traffic::mostUrgent() const {
  for (std::size_t lane = 0; lane < laneCount; ++lane)
    for (const auto& waiter : lanes_[lane])
      if (!waiter->admitted) return hasRoomFor(static_cast<Lane>(lane)) ? waiter.get() : nullptr;
  return nullptr;
}

void Traffic::leaveHere(Lane lane) {
  lastEnd_ = runtime_.clock.now();
  everRan_ = true;
  giveBack(lane);
}

void Traffic::giveBack(Lane lane) {
  --running_;
  if (lane == Lane::background) --inBackground_;
  if (!isUrgent(lane)) return wakeNext();
  boost::asio::post(runtime_.executor, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->wakeNext();
  });
}

void Traffic::wakeNext() {
  while (Waiter* next = mostUrgent()) {
    next->admitted = true;
    begin(next->lane);
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

TrafficPool::TrafficPool(base::Runtime runtime, GovernorOptions options, const std::string& refusedLogins,
                         std::shared_ptr<base::Offload> disk)
    : runtime_(std::move(runtime)),
      options_(options),
      logins_(std::make_shared<RefusedLogins>(runtime_, LockoutTerms{}, refusedLogins, std::move(disk))),
      processes_(std::make_shared<Traffic>(runtime_, processLimits, "programs", logins_)),
      connects_(std::make_shared<ConnectLimit>(runtime_)) {}

std::shared_ptr<Traffic> TrafficPool::of(const Address& address) {
  const bool ipmi = address.traits().protocol == Protocol::ipmi;
  const std::string key = ipmi ? fmt::format("ipmi {} {}", address.host, address.ipmiPort()) : address.baseUrl();
  sweep_.before(traffics_);
  auto traffic = traffics_[key].lock();
  if (!traffic) {
    auto shared = ipmi ? Traffic::Shared{processes_, nullptr} : Traffic::Shared{nullptr, connects_};
    traffic = std::make_shared<Traffic>(runtime_, options_, key, logins_, std::move(shared));
    traffics_[key] = traffic;
  }
  return traffic;
}

}  // namespace ingot::bmc
