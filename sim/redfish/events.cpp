// Events of a BMC, pushed to whoever holds a stream open (spec/bmc.md §13.2).
#include "sim/redfish/events.hpp"

#include "json/codec.hpp"
#include "net/url.hpp"
#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {

constexpr std::string_view streamPath = "/redfish/v1/EventService/SSE";
constexpr std::string_view subscriptionsPath = "/redfish/v1/EventService/Subscriptions";
constexpr unsigned mostStreams = 4;
constexpr int mostFailures = 3;
constexpr base::Duration betweenTries = std::chrono::seconds(1);

class OpenStream {
 public:
  explicit OpenStream(State& state) : state_(state) { ++state_.streams; }
  ~OpenStream() { --state_.streams; }
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;

 private:
  State& state_;
};

std::string originOf(const Machine& machine) { return ownPath(traitsOf(machine.spec().personality), systemPath); }

json::Object eventOf(const LoggedEvent& event, const std::string& origin) {
  json::Object record{{"EventId", std::to_string(event.id)},
                      {"EventTimestamp", base::formatTime(event.created)},
                      {"EventType", "Alert"},
                      {"MemberId", "0"},
                      {"Message", event.message},
                      {"MessageId", "Simulator.1.0.LogEntry"},
                      {"MessageSeverity", event.severity},
                      {"OriginOfCondition", link(origin)}};
  return {{"@odata.type", "#Event.v1_7_0.Event"},
          {"Id", std::to_string(event.id)},
          {"Name", "Event Array"},
          {"Events", json::Array{std::move(record)}}};
}

std::string messageOf(const LoggedEvent& event, const std::string& origin) {
  return fmt::format("id: {}\ndata: {}\n\n", event.id, json::serialize(eventOf(event, origin)));
}

unsigned lastOf(const Machine& machine) { return machine.log.events().empty() ? 0 : machine.log.events().back().id; }

}  // namespace

base::Task<void> pushEvents(Machine& machine, State& state, std::string accountId, net::Responder& out) {
  const OpenStream open(state);
  unsigned told = lastOf(machine);
  const auto origin = originOf(machine);
  co_await out.begin(200, {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}});
  while (true) {
    std::string news;
    const Account* account = state.accounts.find(accountId);
    if (account == nullptr || !account->enabled || account->passwordChangeRequired) co_return;
    if (lastOf(machine) < told) told = 0;  // cleared
    for (const auto& event : machine.log.events())
      if (event.id > told) news += messageOf(event, origin);
    told = lastOf(machine);
    if (news.empty())
      co_await machine.logged.wait();
    else
      co_await out.write(std::move(news));
  }
}

base::Task<void> pushEventsTo(base::Runtime runtime, Machine& machine, State& state, std::string id,
                              net::HttpTransport& transport) {
  const auto* wanted = state.subscriptions.find(id);
  if (wanted == nullptr) co_return;
  const auto url = net::parseUrl(wanted->destination);
  const auto client =
      transport.connect({.baseUrl = url->origin(), .tls = {.verify = wanted->verifies}, .maxConnections = 1});
  unsigned told = lastOf(machine);
  while (Subscription* subscription = state.subscriptions.find(id)) {
    if (lastOf(machine) < told) told = 0;  // cleared
    const auto& events = machine.log.events();
    const auto next = std::ranges::find_if(events, [&](const LoggedEvent& event) { return event.id > told; });
    if (next == events.end()) {
      co_await machine.logged.wait();
      continue;
    }
    auto body = eventOf(*next, originOf(machine));
    body["Context"] = subscription->context;
    const auto sent = next->id;
    bool isTaken = false;
    try {
      const auto answer =
          co_await client->send({.method = "POST",
                                 .target = url->query.empty() ? url->path : url->path + "?" + url->query,
                                 .headers = {{"Content-Type", "application/json"}},
                                 .body = json::serialize(body)});
      isTaken = answer.ok();
    } catch (const net::HttpError&) {  // nobody listens there now
    }
    if (isTaken) told = sent;
    subscription = state.subscriptions.find(id);
    if (subscription == nullptr) break;
    subscription->failures = isTaken ? 0 : subscription->failures + 1;
    if (subscription->failures >= mostFailures) state.subscriptions.remove(id);
    if (!isTaken) co_await runtime.clock.sleepFor(betweenTries);
  }
}

namespace resources {

namespace {

json::Object bodyOf(const Subscription& subscription) {
  auto body = resource(fmt::format("{}/{}", subscriptionsPath, subscription.id),
                       "EventDestination.v1_13_0.EventDestination", subscription.id, "Event Subscription");
  body["Destination"] = subscription.destination;
  body["Context"] = subscription.context;
  body["Protocol"] = "Redfish";
  body["SubscriptionType"] = "RedfishEvent";
  body["VerifyCertificate"] = subscription.verifies;
  return body;
}

// Why it is no subscription; nullopt: it is one.
std::optional<Reply> whyNotTaken(const Call& call) {
  const auto& body = call.body.get_object();
  const auto destination = net::parseUrl(json::textAt(call.body, {"Destination"}));
  if (!destination || (destination->scheme != "https" && destination->scheme != "http"))
    return aboutProperty("PropertyValueFormatError", "Destination", "The value of Destination is no URL of HTTP.");
  if (json::textAt(call.body, {"Protocol"}) != "Redfish")
    return valueNotInList("Protocol", json::textAt(call.body, {"Protocol"}));
  if (call.traits.has(Habit::refusesVerifyCertificate) && body.contains("VerifyCertificate"))
    return aboutProperty("PropertyUnknown", "VerifyCertificate", "The property VerifyCertificate is not known.");
  if (call.traits.has(Habit::wantsEventTypes) && !body.contains("EventTypes"))
    return aboutProperty("PropertyMissing", "EventTypes", "The property EventTypes is a required property.");
  return std::nullopt;
}

}  // namespace

Reply subscriptions(Call& call) {
  std::vector<std::string> members;
  for (const auto& one : call.state.subscriptions.all())
    members.push_back(fmt::format("{}/{}", subscriptionsPath, one.id));
  return ok(collection(subscriptionsPath, "EventDestination", "Event Subscriptions", members));
}

Reply subscription(Call& call) {
  const auto* found = call.state.subscriptions.find(call.ids.at(0));
  return found == nullptr ? notFound(call.path) : ok(bodyOf(*found));
}

Reply subscribe(Call& call) {
  call.action = "subscribe";
  call.detail = json::textAt(call.body, {"Destination"});
  if (auto refusal = whyNotTaken(call)) return std::move(*refusal);
  const auto* made = call.state.subscriptions.add(
      {.id = {},
       .destination = call.detail,
       .context = json::textAt(call.body, {"Context"}),
       .verifies =
           json::boolAt(call.body, {"VerifyCertificate"}).value_or(!call.traits.has(Habit::refusesVerifyCertificate))});
  if (made == nullptr)
    return error(503, "EventSubscriptionLimitExceeded", "The service has no room for another subscription.");
  auto body = bodyOf(*made);
  return created(body, std::string(body["@odata.id"].as_string()));
}

Reply unsubscribe(Call& call) {
  call.action = "unsubscribe";
  const auto* found = call.state.subscriptions.find(call.ids.at(0));
  if (found == nullptr) return notFound(call.path);
  call.detail = found->destination;
  call.state.subscriptions.remove(call.ids.at(0));
  call.machine.logged.notifyAll();  // who pushes to it sees that it is gone
  return noContent();
}

Reply eventService(Call& call) {
  auto body = resource(call.path, "EventService.v1_10_0.EventService", "EventService", "Event Service");
  body["ServiceEnabled"] = true;
  body["EventFormatTypes"] = json::Array{"Event"};
  if (!call.traits.has(Habit::hasNoEventStream)) body["ServerSentEventUri"] = streamPath;
  if (call.traits.has(Habit::wantsEventTypes)) body["EventTypesForSubscription"] = json::Array{"Alert", "MetricReport"};
  body["Subscriptions"] = link(subscriptionsPath);
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply eventStream(Call& call) {
  if (call.traits.has(Habit::hasNoEventStream)) return notFound(call.path);
  if (call.state.streams >= mostStreams)
    return error(503, "EventSubscriptionLimitExceeded", "The service has no room for another subscription.");
  return {.streamTo = call.user->id};
}

}  // namespace resources

}  // namespace ingot::sim::redfish
