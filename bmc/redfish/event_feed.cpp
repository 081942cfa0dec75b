#include "bmc/redfish/event_feed.hpp"

#include "bmc/redfish/answers.hpp"
#include "bmc/redfish/event_resources.hpp"
#include "bmc/redfish/event_stream.hpp"

namespace ingot::bmc::redfish {

namespace {

// A stream whose BMC has forgotten it looks like one on which nothing happens: it is opened anew, not all at a time.
constexpr base::Duration leastQuiet = std::chrono::minutes(8), mostQuiet = std::chrono::minutes(12);
constexpr base::Duration betweenPieces = std::chrono::milliseconds(100);  // a BMC may push as fast as the wire carries
constexpr std::size_t mostLookedAt = 64;                                  // events of a piece
constexpr std::size_t longestPath = 2048;

// The hosts of a BMC ask at different times, and each would keep its turn for a while.
base::Duration stands(const Error& error) {
  if (error.origin() != Error::Origin::bmc) return {};
  switch (error.code()) {
    case Error::Code::unsupported:
    case Error::Code::refused: return std::chrono::minutes(50);
    case Error::Code::busy: return std::chrono::minutes(8);
    default: return {};
  }
}

bool isNo(Error::Code code) {
  return code == Error::Code::unsupported || code == Error::Code::refused || code == Error::Code::busy;
}

bool tellsOfChange(const std::vector<std::string>& events) {
  return events.size() > mostLookedAt ||
         std::ranges::any_of(events, [](const auto& data) { return kindOfEvent(data) == EventKind::change; });
}

}  // namespace

class EventFeed::Follower {
 public:
  Follower(EventFeed& feed, OnEvent onEvent)
      : feed_(feed), place_(feed.followers_.insert(feed.followers_.end(), std::move(onEvent))) {}
  ~Follower() { feed_.followers_.erase(place_); }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

 private:
  EventFeed& feed_;
  std::list<OnEvent>::iterator place_;
};

class EventFeed::Opening {
 public:
  explicit Opening(EventFeed& feed) : feed_(feed) { feed_.isTaken_ = true; }
  ~Opening() {
    feed_.isTaken_ = feed_.isOpen_ = false;
    feed_.ended_.notifyAll();
  }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

 private:
  EventFeed& feed_;
};

EventFeed::EventFeed(base::Runtime runtime, Connection& connection, EventInbox* inbox, std::string bmc)
    : runtime_(std::move(runtime)), connection_(connection), ended_(runtime_.executor) {
  if (inbox != nullptr) subscription_.emplace(connection_, *inbox, std::move(bmc));
}

base::Task<base::Duration> EventFeed::follow(Lane lane, OnEvent onEvent) {
  if (isOpen_) onEvent(EventNews::opened);
  const Follower here(*this, std::move(onEvent));
  while (isTaken_) {
    co_await ended_.wait();
    if (isTaken_ || !end_) continue;
    if (end_->failure) std::rethrow_exception(end_->failure);
    co_return end_->stood;
  }
  if (runtime_.clock.now() < refusedUntil_) std::rethrow_exception(end_->failure);
  end_.reset();
  const Opening opening(*this);
  try {
    end_ = End{.stood = co_await read(lane)};
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    end_ = End{.failure = std::current_exception()};
    if (const auto* refusal = dynamic_cast<const Error*>(&error))
      refusedUntil_ = runtime_.clock.now() + stands(*refusal);
    throw;
  }
  co_return end_->stood;
}

std::string EventFeed::takeSubscription() { return subscription_ ? subscription_->take() : std::string(); }

base::Task<base::Duration> EventFeed::read(Lane lane) {
  std::exception_ptr refusal;
  try {
    if (subscription_) co_await takePushed(lane);
  } catch (const Error& error) {  // it may have a stream all the same
    if (isOpen_ || error.origin() != Error::Origin::bmc || !isNo(error.code())) throw;
    refusal = std::current_exception();
  }
  try {
    co_return co_await readStream(lane);
  } catch (const Error& error) {
    if (refusal && error.code() == Error::Code::unsupported) std::rethrow_exception(refusal);
    throw;
  }
}

// Until the BMC says no, or does not answer when it is asked whether it still would push.
base::Task<void> EventFeed::takePushed(Lane lane) {
  bool isNew = false;
  base::Notifier came(runtime_.executor);
  const auto listening = subscription_->listen([&](const std::string& body) {
    if (kindOfEvent(body) != EventKind::change) return;
    isNew = true;
    came.notifyAll();
  });
  static_cast<void>(co_await subscription_->ensure(lane));
  isOpen_ = true;
  tell(EventNews::opened);
  while (true) {
    const auto until = runtime_.clock.now() + believedQuiet();
    while (runtime_.clock.now() < until) {
      if (!isNew && !co_await came.waitUntil(runtime_.clock, until)) break;
      isNew = false;
      tell(EventNews::happened);
      co_await runtime_.clock.sleepFor(betweenPieces);
    }
    if (co_await subscription_->ensure(lane)) tell(EventNews::happened);  // what it had to tell was lost
  }
}

// How long nothing may happen before it is looked whether the BMC would tell.
base::Duration EventFeed::believedQuiet() {
  return leastQuiet + std::chrono::duration_cast<base::Duration>((mostQuiet - leastQuiet) * runtime_.random.unit());
}

base::Task<base::Duration> EventFeed::readStream(Lane lane) {
  const auto stream = co_await connection_.stream(lane, co_await streamPath(lane));
  if (stream->headers().get("Content-Type").find("event-stream") == std::string_view::npos)
    throw Error(Error::Code::unsupported, "the BMC answers with something else than a stream of events");
  const auto opened = runtime_.clock.now();
  isOpen_ = true;
  tell(EventNews::opened);
  EventStream events;
  const auto quiet = believedQuiet();
  try {
    while (const auto piece = co_await stream->next(quiet)) {
      if (tellsOfChange(events.take(*piece))) tell(EventNews::happened);
      co_await runtime_.clock.sleepFor(betweenPieces);
    }
  } catch (const net::HttpError&) {  // it ended, whatever the reason
  }
  co_return runtime_.clock.now() - opened;
}

base::Task<std::string> EventFeed::streamPath(Lane lane) {
  auto root = co_await connection_.root(lane);
  if (!root.eventService)
    root = co_await connection_.get<ServiceRoot>(lane, connection_.rootPath());  // it may be newer
  if (!root.eventService || !root.eventService->id)
    throw Error(Error::Code::unsupported, "the BMC has no EventService");
  const auto service = co_await connection_.get<EventService>(lane, *root.eventService->id);
  if (!service.isEnabled.value_or(true))
    throw Error(Error::Code::unsupported, "the BMC's EventService is switched off");
  auto path = pathOfLocation(service.serverSentEventUri.value_or(""));
  if (path.empty() || path.size() > longestPath)
    throw Error(Error::Code::unsupported, "the BMC has no stream of events");
  co_return path;
}

void EventFeed::tell(EventNews news) {
  for (const auto& follower : followers_) follower(news);
}

}  // namespace ingot::bmc::redfish
