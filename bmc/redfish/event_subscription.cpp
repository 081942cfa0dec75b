#include "bmc/redfish/event_subscription.hpp"

#include "base/hmac.hpp"
#include "base/text.hpp"
#include "bmc/redfish/walker.hpp"

#include <algorithm>
#include <array>

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t contextDigits = 16;
constexpr std::size_t mostSubscriptions = 64;
// Deprecated by Redfish, and what iDRAC and Supermicro want to be told; MetricReport is none that is wanted.
constexpr std::array<std::string_view, 5> wantedTypes{"Alert", "StatusChange", "ResourceUpdated", "ResourceAdded",
                                                      "ResourceRemoved"};

// What the BMC is to call us. A chassis has several agents: each has its own URL, and nobody else can know it by this.
std::string contextOf(const std::string& destination) {
  return "ingot " + base::hmacSha256(base::Secret(destination), "subscription").substr(0, contextDigits);
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// `words`: of the refusal.
Error failureOf(const Refusal& refusal, const std::string& words) {
  const auto& body = refusal.body;
  const bool isFull = body.has("EventSubscriptionLimitExceeded") || body.has("ResourceExhaustion") ||
                      body.has("CreateLimitReachedForResource");
  const bool isAbsent = refusal.status == 404 || refusal.status == 405 || refusal.status == 501;
  const auto code = isAbsent                          ? Error::Code::unsupported
                    : isFull || refusal.status >= 500 ? Error::Code::busy
                                                      : Error::Code::refused;
  return {code, fmt::format("the BMC takes no subscription to its events: HTTP {}: {}", refusal.status, words)};
}

}  // namespace

std::vector<json::Object> subscriptionBodies(const EventOffer& offer, const std::string& destination, bool verifies) {
  json::Array types;
  for (const auto type : wantedTypes)
    if (has(offer.eventTypes, type)) types.emplace_back(type);
  json::Object plain{{"Destination", destination}, {"Protocol", "Redfish"}, {"Context", contextOf(destination)}};
  json::Object full = plain;
  if (!types.empty()) full["EventTypes"] = types;
  if (has(offer.formats, "Event")) full["EventFormatType"] = "Event";
  json::Object unverified = full;
  unverified["VerifyCertificate"] = false;
  json::Object old = plain;  // as Ironic asks
  old["EventTypes"] = json::Array{"Alert"};
  std::vector<json::Object> bodies;
  if (!verifies) bodies.push_back(std::move(unverified));
  bodies.push_back(std::move(full));
  if (std::ranges::find(bodies, old) == bodies.end()) bodies.push_back(std::move(old));
  return bodies;
}

EventSubscription::EventSubscription(Connection& connection, EventInbox& inbox, std::string bmc)
    : connection_(connection),
      inbox_(inbox),
      bmc_(std::move(bmc)),
      url_(inbox_.urlFor(bmc_)),
      context_(contextOf(url_)) {}

base::Task<bool> EventSubscription::ensure(Lane lane) {
  if (!path_.empty() && co_await stands(lane)) co_return false;
  path_.clear();
  auto offered = co_await offer(lane);
  if (co_await findOurs(lane, offered.subscriptions)) co_return false;
  co_await create(lane, std::move(offered));
  co_return true;
}

// Some show another destination than they were given.
bool EventSubscription::isOurs(const EventDestination& found) const {
  return base::equalButForCase(found.destination.value_or(""), url_) || found.context.value_or("") == context_;
}

void EventSubscription::note(std::string path) {
  path_ = std::move(path);
  session_ = connection_.session();
}

std::string EventSubscription::take() {
  auto path = std::exchange(path_, {});
  return session_ == connection_.session() ? path : std::string();
}

// One that shows neither a destination nor what it was told to call us is deleted, or it would be one more each time;
// but for one that may be another agent's by now.
base::Task<bool> EventSubscription::stands(Lane lane) {
  try {
    const auto found = co_await connection_.get<EventDestination>(lane, path_);
    if (isOurs(found)) {
      note(path_);
      co_return true;
    }
    const bool isSomebodys = !found.destination.value_or("").empty() || !found.context.value_or("").empty();
    if (!isSomebodys && session_ == connection_.session()) static_cast<void>(co_await connection_.remove(lane, path_));
  } catch (const Error& error) {
    if (error.code() != Error::Code::unsupported && error.code() != Error::Code::refused) throw;
  }
  co_return false;
}

base::Task<EventOffer> EventSubscription::offer(Lane lane) {
  const auto root = co_await connection_.root(lane);
  if (!root.eventService || !root.eventService->id)
    throw Error(Error::Code::unsupported, "the BMC has no EventService");
  const auto service = co_await connection_.get<EventService>(lane, *root.eventService->id);
  if (!service.isEnabled.value_or(true))
    throw Error(Error::Code::unsupported, "the BMC's EventService is switched off");
  if (!service.subscriptions || !service.subscriptions->id)
    throw Error(Error::Code::unsupported, "the BMC's EventService has no Subscriptions");
  co_return EventOffer{.subscriptions = *service.subscriptions->id,
                       .eventTypes = service.eventTypes.value_or(std::vector<std::string>{}),
                       .formats = service.formats.value_or(std::vector<std::string>{})};
}

// One of ours is kept. Others to our address are of an agent before us, or too many.
base::Task<bool> EventSubscription::findOurs(Lane lane, std::string collection) {
  Walker walker(connection_, lane, Walker::Missing::unreadable);
  auto paths = co_await walker.memberPaths(Link{collection});
  if (paths.size() > mostSubscriptions) paths.resize(mostSubscriptions);
  for (const auto& path : paths) {
    const auto found = co_await walker.get<EventDestination>(path);
    if (!found) continue;
    if (path_.empty() && isOurs(*found))
      note(path);
    else if (base::lower(found->destination.value_or("")).starts_with(base::lower(inbox_.prefix())))
      static_cast<void>(co_await connection_.remove(lane, path));
  }
  co_return !path_.empty();
}

base::Task<void> EventSubscription::create(Lane lane, EventOffer offer) {
  std::optional<Refusal> refused;
  for (const auto& body : subscriptionBodies(offer, url_, !inbox_.isSelfSigned())) {
    auto written = co_await connection_.post(lane, offer.subscriptions, json::serialize(body), {});
    if (!written.refused) {
      note(std::move(written.created));
      co_return;
    }
    refused = std::move(written.refused);
    if (refused->status != 400) break;
  }
  if (refused->body.has("ResourceAlreadyExists") || refused->body.has("PropertyValueModified"))
    if (co_await findOurs(lane, offer.subscriptions)) co_return;
  throw failureOf(*refused, co_await connection_.messages().textOf(lane, refused->body));
}

}  // namespace ingot::bmc::redfish
