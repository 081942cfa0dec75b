#include "sim/redfish/service.hpp"

#include "base/base64.hpp"
#include "json/codec.hpp"
#include "sim/redfish/call.hpp"
#include "sim/redfish/events.hpp"

#include <functional>

namespace ingot::sim::redfish {

struct Found {
  const Route* route = nullptr;
  std::vector<std::string_view> ids;
  std::string allowed;  // methods of the path, as the header Allow lists them; "": nobody knows the path
};

namespace {

constexpr std::string_view expandOnce = "$expand=.($levels=1)";
constexpr std::size_t mostASecond = 2;     // of Fault::fragile
constexpr std::size_t padding = 6u << 20;  // of Fault::oversize
constexpr base::Duration betweenDrops = std::chrono::seconds(1);
constexpr base::Duration forever = std::chrono::hours(24);  // of a hanging BMC; the client goes away long before

std::string_view trimSlash(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// What the {} of `pattern` stand for in `path`; nullopt when it does not match.
std::optional<std::vector<std::string_view>> match(std::string_view pattern, std::string_view path) {
  std::vector<std::string_view> ids;
  while (true) {
    const auto hole = pattern.find("{}");
    if (hole == pattern.npos) break;
    if (!path.starts_with(pattern.substr(0, hole))) return std::nullopt;
    path.remove_prefix(hole);
    pattern.remove_prefix(hole + 2);
    const auto end = std::min(path.find('/'), path.size());
    if (end == 0) return std::nullopt;
    ids.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  if (pattern != path) return std::nullopt;
  return ids;
}

Found findRoute(std::string_view method, std::string_view path) {
  Found found;
  for (const auto& route : routes()) {
    auto ids = match(route.pattern, path);
    if (!ids) continue;
    if (!found.allowed.empty()) found.allowed += ", ";
    found.allowed += route.method == "GET" ? "GET, HEAD" : route.method;
    if (found.route != nullptr || route.method != method) continue;
    found.route = &route;
    found.ids = std::move(*ids);
  }
  return found;
}

// Where the schema of a resource is found: "#Role.v1_3_3.Role" is described by Role.v1_3_3.json.
std::string schemaOf(const json::Value& body) {
  const auto type = json::textAt(body, {"@odata.type"});
  if (!type.starts_with('#')) return "";
  return fmt::format("<http://redfish.dmtf.org/schemas/v1/{}.json>; rel=describedby",
                     type.substr(1, type.rfind('.') - 1));
}

std::string hashOf(const json::Value& body) {
  return fmt::format("W/\"{:016x}\"", std::hash<std::string>{}(json::serialize(body)));
}

// Without the time of day, which changes by itself.
std::string etagOf(const json::Value& body) {
  if (!body.is_object() || !body.get_object().contains("DateTime")) return hashOf(body);
  json::Object timeless = body.get_object();
  timeless.erase("DateTime");
  return hashOf(timeless);
}

std::string bare(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  return std::string(etag);
}

// The answer as this BMC names its resources.
void putOwnNames(const Traits& traits, Reply& reply) {
  putOwnPaths(traits, reply.body);
  if (const auto location = std::string(reply.headers.get("Location")); !location.empty())
    reply.headers.set("Location", ownPath(traits, location));
}

// Why an account may not do what a request wants; nullopt: it may.
std::optional<Reply> whyForbidden(const net::ServerRequest& request, std::string_view path, const Route& route,
                                  const Account& user) {
  if (user.passwordChangeRequired) {
    const bool isOwn = path == accountPath(user) && (request.method == "GET" || request.method == "PATCH");
    // Redfish does not name the end of a session among what remains; without it each login would leave one behind.
    const bool logsOut = route.handler == resources::closeSession;
    if (!isOwn && !logsOut) return refusal(403, json::Array{passwordChangeRequired(user)});
  }
  if (!user.may(route.needs)) return insufficientPrivilege();
  return std::nullopt;
}

// What every good answer to a read has beside the resource (DSP0266).
void completeRead(const net::ServerRequest& request, const std::string& allowed, Reply& reply) {
  reply.headers.set("Allow", allowed);
  if (!reply.xml.empty()) return;
  const auto schema = schemaOf(reply.body);
  if (!schema.empty()) reply.headers.set("Link", schema);
  const auto tag = etagOf(reply.body);
  reply.headers.set("ETag", tag);
  if (bare(request.headers.get("If-None-Match")) == bare(tag)) {
    reply.status = 304;
    reply.body = nullptr;
  } else if (!schema.empty()) {
    reply.body.as_object()["@odata.etag"] = tag;
  }
}

net::HttpResponse render(Reply reply) {
  net::HttpResponse response{.status = reply.status, .headers = std::move(reply.headers)};
  response.headers.set("OData-Version", "4.0");
  response.headers.set("Cache-Control", "no-cache");
  if (!reply.xml.empty()) {
    response.headers.set("Content-Type", "application/xml");
    response.body = std::move(reply.xml);
  } else if (!reply.body.is_null()) {
    response.headers.set("Content-Type", "application/json");
    response.body = json::serialize(reply.body);
  }
  return response;
}

base::Task<void> drip(base::Clock& clock, net::HttpResponse response, net::Responder& out) {
  response.headers.set("Content-Length", std::to_string(response.body.size()));
  co_await out.begin(response.status, std::move(response.headers));
  for (const char c : response.body) {
    co_await out.write(std::string(1, c));
    co_await clock.sleepFor(betweenDrops);
  }
  co_await out.end();
}

// Still JSON, and too much of it.
void pad(net::HttpResponse& response) {
  if (response.body.starts_with('{'))
    response.body.insert(
        1, fmt::format(R"("Padding":"{}"{})", std::string(padding, 'x'), response.body.size() > 2 ? "," : ""));
}

void breakOff(net::HttpResponse& response) {
  if (response.body.empty()) return;
  response.body.resize(response.body.size() / 2);
  response.body += "\xff\xc3";
}

}  // namespace

Service::Service(base::Runtime runtime, Machine& machine, Journal& journal, Pushing pushing)
    : runtime_(std::move(runtime)),
      traits_(traitsOf(machine.spec().personality)),
      machine_(machine),
      journal_(journal),
      pushing_(pushing) {
  const bool cdIsOtherDrive = traits_.has(Habit::cdIsUsbCd) || cdBootsByImport(traits_, machine_.spec().bmcFirmware);
  if (cdIsOtherDrive) machine_.virtualCd = BootDevice::usbCd;
}

Service::~Service() = default;

State& Service::state() {
  if (!state_) state_ = std::make_unique<State>(machine_.spec());
  return *state_;
}

base::Task<void> Service::handle(net::ServerRequest request, net::Responder& out) {
  const auto& faults = machine_.faults;
  if (faults.has(Fault::drop) || machine_.bmcIsAway() || diesOfHaste()) {
    out.abort();
    co_return;
  }
  if (faults.has(Fault::slow)) co_await runtime_.clock.sleepFor(faults.slowness);
  if (faults.has(Fault::hang)) {
    co_await runtime_.clock.sleepFor(forever);
    out.abort();
    co_return;
  }
  const bool head = request.method == "HEAD";
  if (head) request.method = "GET";
  const auto plain = plainPath(traits_, trimSlash(request.path()));
  auto reply = answer(request, plain);
  if (plain) putOwnNames(traits_, reply);
  if (reply.streamTo && !head) co_return co_await pushEvents(machine_, state(), *reply.streamTo, out);
  auto response = render(std::move(reply));
  if (faults.has(Fault::drip)) co_return co_await drip(runtime_.clock, std::move(response), out);
  if (faults.has(Fault::oversize)) pad(response);
  if (faults.has(Fault::garbage)) breakOff(response);
  co_await out.send(std::move(response));
}

// As some do: what was pressed too hard answers nothing any more.
bool Service::diesOfHaste() {
  if (!machine_.faults.has(Fault::fragile)) return false;
  const auto now = runtime_.clock.now();
  while (!asked_.empty() && now - asked_.front() >= std::chrono::seconds(1)) asked_.pop_front();
  asked_.push_back(now);
  if (asked_.size() > mostASecond && !std::exchange(machine_.faults.hasDied, true))
    journal_.event(machine_.name(), "bmc", "died");
  return machine_.faults.hasDied;
}

Reply Service::answer(const net::ServerRequest& request, const std::optional<std::string>& plain) {
  if (machine_.faults.has(Fault::serverErrors))
    return error(500, "InternalError", "The service has an internal error.");
  const bool hasBooted = std::exchange(bmcBoots_, machine_.bmcBoots()) != machine_.bmcBoots();
  if (state_ && (hasBooted || machine_.faults.has(Fault::expireSessions))) state_->sessions.clear();
  if (state_ && hasBooted) state_->subscriptions.clear();
  if (state_) state_->tasks.settle(runtime_.clock.now());
  const auto path = plain ? std::string_view(*plain) : trimSlash(request.path());
  const auto found = plain ? findRoute(request.method, path) : Found{};
  if (found.route != nullptr && found.route->needs == Privilege::none) return dispatch(request, path, found, nullptr);

  if (const Account* user = userOf(request)) return dispatch(request, path, found, user);
  return refuseStranger(request);
}

Reply Service::refuseStranger(const net::ServerRequest& request) {
  if (request.headers.get("Authorization").starts_with("Basic ")) recordRefusedLogin(request);
  const bool hadSession = !request.headers.get("X-Auth-Token").empty();
  if (hadSession && traits_.has(Habit::refusesLostSessionsWith403))
    return error(403, "NoValidSession", "There is no valid session established with the implementation.");
  auto refused = error(401, "ResourceAtUriUnauthorized", "The user name, password or session is not valid.");
  refused.headers.set("WWW-Authenticate", "Basic realm=\"RedfishService\"");
  return refused;
}

const Account* Service::userOf(const net::ServerRequest& request) {
  if (machine_.faults.has(Fault::refusePassword)) return nullptr;
  const auto token = request.headers.get("X-Auth-Token");
  if (!token.empty()) {
    const auto* session = state().sessions.use(token, runtime_.clock.now());
    return session ? state().accounts.named(session->user) : nullptr;
  }
  const auto authorization = request.headers.get("Authorization");
  if (!authorization.starts_with("Basic ")) return nullptr;
  const auto words = base::fromBase64(authorization.substr(6));
  const auto colon = words ? words->find(':') : std::string::npos;
  if (colon == std::string::npos) return nullptr;
  return state().accounts.logIn(words->substr(0, colon), words->substr(colon + 1));
}

Reply Service::dispatch(const net::ServerRequest& request, std::string_view path, const Found& found,
                        const Account* user) {
  if (!found.route) {
    if (found.allowed.empty()) return notFound(path);
    auto refused = error(405, "OperationNotAllowed", fmt::format("{} is not allowed here.", request.method));
    refused.headers.set("Allow", found.allowed);
    return refused;
  }
  if (user != nullptr)
    if (auto refused = whyForbidden(request, path, *found.route, *user)) return std::move(*refused);
  const auto version = request.headers.get("OData-Version");
  if (!version.empty() && version != "4.0")
    return error(412, "PreconditionFailed", fmt::format("OData-Version {} is not supported: 4.0 is.", version));
  const bool expands = request.query() == expandOnce && traits_.has(Habit::expandsCollections);
  if (request.query().starts_with("$") && !expands)
    return error(501, "QueryParameterUnsupported", fmt::format("The query '{}' is not supported.", request.query()));

  json::Value body = json::Object{};
  if (!request.body.empty()) {
    try {
      body = json::parse(request.body);
    } catch (const json::ParseError&) {
      return error(400, "MalformedJSON", "The request body is not JSON.");
    }
    if (!body.is_object()) return error(400, "UnrecognizedRequestBody", "The request body is not a JSON object.");
  }

  const bool reads = request.method == "GET";
  if (!reads)
    if (auto mismatch = whyMismatch(request, path, user)) return std::move(*mismatch);

  const std::string name = user == nullptr ? "" : user->user;  // the account may be gone afterwards
  Call call{runtime_, machine_, state(), traits_, path, found.ids, body, !request.body.empty(), user};
  auto reply = found.route->handler(call);
  if (expands && reply.status == 200) expandMembers(reply, user);
  if (reads && reply.status == 200 && !reply.streamTo) completeRead(request, found.allowed, reply);
  if (!reads) recordChange(request, name, call, reply.status);
  if (reply.status == 201) serveSubscriptions();
  return reply;
}

void Service::serveSubscriptions() {
  if (pushing_.transport == nullptr) return;
  for (auto& one : state().subscriptions.all())
    if (!std::exchange(one.isServed, true))
      pushing_.tasks->spawn("push events of " + machine_.name(),
                            pushEventsTo(runtime_, machine_, state(), one.id, *pushing_.transport));
}

// What the condition of a write says against it.
std::optional<Reply> Service::whyMismatch(const net::ServerRequest& request, std::string_view path,
                                          const Account* user) {
  const auto wanted = request.headers.get("If-Match");
  if (wanted.empty() && request.method == "PATCH" && traits_.has(Habit::wantsIfMatch))
    return error(428, "PreconditionRequired", "A precondition header or annotation is required.");
  if (wanted.empty() || wanted == "*") return std::nullopt;
  auto now = look(path, user);
  if (now.status != 200) return now;
  const bool isWeak = wanted.starts_with("W/") && traits_.has(Habit::weakTagsDoNotMatch);
  if (!isWeak && bare(etagOf(now.body)) == bare(wanted)) return std::nullopt;
  return error(412, "PreconditionFailed", "The resource has changed: the ETag does not match.");
}

Reply Service::look(std::string_view path, const Account* user) {
  const auto found = findRoute("GET", path);
  if (found.route == nullptr) return notFound(path);
  const json::Value nothing = json::Object{};
  Call call{runtime_, machine_, state(), traits_, path, found.ids, nothing, false, user};
  return found.route->handler(call);
}

// Each member whole, in place of a link.
void Service::expandMembers(Reply& collection, const Account* user) {
  auto* members = collection.body.get_object().if_contains("Members");
  if (members == nullptr) return;
  for (auto& member : members->get_array())
    if (auto one = look(json::textAt(member, {"@odata.id"}), user); one.status == 200) member = std::move(one.body);
}

// Each counts towards a lock-out, as a refused session does.
void Service::recordRefusedLogin(const net::ServerRequest& request) {
  journal_.record({.machine = machine_.name(),
                   .kind = "request",
                   .sender = senderOf(request.headers.get("User-Agent")),
                   .action = "login",
                   .detail = "Basic",
                   .status = 401});
}

void Service::recordChange(const net::ServerRequest& request, const std::string& user, const Call& call, int status) {
  journal_.record({.machine = machine_.name(),
                   .kind = "request",
                   .sender = senderOf(request.headers.get("User-Agent")),
                   .user = user,
                   .action = call.action.empty() ? request.method + " " + std::string(call.path) : call.action,
                   .detail = call.detail,
                   .status = status});
}

}  // namespace ingot::sim::redfish
