// Events of a BMC, pushed to whoever holds a stream open (spec/bmc.md §13.2).
#include "sim/redfish/events.hpp"

#include "json/codec.hpp"
#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {

constexpr std::string_view streamPath = "/redfish/v1/EventService/SSE";
constexpr unsigned mostStreams = 4;

class OpenStream {
 public:
  explicit OpenStream(State& state) : state_(state) { ++state_.streams; }
  ~OpenStream() { --state_.streams; }
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;

 private:
  State& state_;
};

std::string messageOf(const LoggedEvent& event, const std::string& origin) {
  json::Object record{{"EventId", std::to_string(event.id)},
                      {"EventTimestamp", base::formatTime(event.created)},
                      {"MemberId", "0"},
                      {"Message", event.message},
                      {"MessageId", "Simulator.1.0.LogEntry"},
                      {"MessageSeverity", event.severity},
                      {"OriginOfCondition", link(origin)}};
  json::Object body{{"@odata.type", "#Event.v1_7_0.Event"},
                    {"Id", std::to_string(event.id)},
                    {"Name", "Event Array"},
                    {"Events", json::Array{std::move(record)}}};
  return fmt::format("id: {}\ndata: {}\n\n", event.id, json::serialize(std::move(body)));
}

unsigned lastOf(const Machine& machine) { return machine.log.events().empty() ? 0 : machine.log.events().back().id; }

}  // namespace

base::Task<void> pushEvents(Machine& machine, State& state, std::string accountId, net::Responder& out) {
  const OpenStream open(state);
  unsigned told = lastOf(machine);
  const auto origin = ownPath(traitsOf(machine.spec().personality), systemPath);
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

namespace resources {

Reply eventService(Call& call) {
  auto body = resource(call.path, "EventService.v1_10_0.EventService", "EventService", "Event Service");
  body["ServiceEnabled"] = true;
  body["EventFormatTypes"] = json::Array{"Event"};
  body["ServerSentEventUri"] = streamPath;
  body["Status"] = healthy();
  return ok(std::move(body));
}

Reply eventStream(Call& call) {
  if (call.state.streams >= mostStreams)
    return error(503, "EventSubscriptionLimitExceeded", "The service has no room for another subscription.");
  return {.streamTo = call.user->id};
}

}  // namespace resources

}  // namespace ingot::sim::redfish
