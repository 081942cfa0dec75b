#include "bmc/redfish/event_feed.hpp"

#include "bmc/redfish/answers.hpp"
#include "bmc/redfish/event_stream.hpp"

namespace ingot::bmc::redfish {

namespace {

// A stream whose BMC has forgotten it looks like one on which nothing happens: it is opened anew.
constexpr base::Duration longestQuiet = std::chrono::minutes(10);

struct FilterProperties {
  Fact<bool> eventFormatType;
  static void describe(auto& v) { v.field("EventFormatType", &FilterProperties::eventFormatType); }
};

struct EventService {
  Fact<bool> isEnabled;
  Fact<std::string> serverSentEventUri;
  Fact<FilterProperties> filters;
  static void describe(auto& v) {
    v.field("ServiceEnabled", &EventService::isEnabled);
    v.field("ServerSentEventUri", &EventService::serverSentEventUri);
    v.field("SSEFilterPropertiesSupported", &EventService::filters);
  }
};

bool tellsOfChange(const std::vector<std::string>& events) {
  return std::ranges::any_of(events, [](const auto& data) { return kindOfEvent(data) == EventKind::change; });
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

EventFeed::EventFeed(base::Runtime runtime, Connection& connection)
    : runtime_(std::move(runtime)), connection_(connection), ended_(runtime_.executor) {}

base::Task<void> EventFeed::follow(Lane lane, OnEvent onEvent) {
  if (isOpen_) onEvent(EventNews::opened);
  const Follower here(*this, std::move(onEvent));
  if (isTaken_) co_return co_await ended_.wait();
  const Opening opening(*this);
  co_await read(lane);
}

base::Task<void> EventFeed::read(Lane lane) {
  const auto stream = co_await connection_.stream(lane, co_await streamPath(lane));
  isOpen_ = true;
  tell(EventNews::opened);
  EventStream events;
  try {
    while (const auto piece = co_await stream->next(longestQuiet))
      if (tellsOfChange(events.take(*piece))) tell(EventNews::happened);
  } catch (const net::HttpError& error) {  // it ended, whatever the reason
    runtime_.log.debug("an event stream ended", {{"error", error.what()}});
  }
}

// Telemetry comes every few seconds, and is left out where the BMC can.
base::Task<std::string> EventFeed::streamPath(Lane lane) {
  const auto root = co_await connection_.root(lane);
  if (!root.eventService || !root.eventService->id)
    throw Error(Error::Code::unsupported, "the BMC has no EventService");
  const auto service = co_await connection_.get<EventService>(lane, *root.eventService->id);
  if (!service.isEnabled.value_or(true))
    throw Error(Error::Code::unsupported, "the BMC's EventService is switched off");
  auto path = pathOfLocation(service.serverSentEventUri.value_or(""));
  if (path.empty()) throw Error(Error::Code::unsupported, "the BMC has no stream of events");
  if (service.filters && service.filters->eventFormatType.value_or(false))
    path += (path.find('?') == std::string::npos ? "?" : "&") + std::string("$filter=EventFormatType%20eq%20Event");
  co_return path;
}

void EventFeed::tell(EventNews news) {
  for (const auto& follower : followers_) follower(news);
}

}  // namespace ingot::bmc::redfish
