#include "sim/redfish/service.hpp"

#include "base/base64.hpp"
#include "json/codec.hpp"
#include "sim/redfish/call.hpp"
#include "sim/redfish/events.hpp"

#include <functional>

namespace ingot::sim::redfish {

namespace {

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

struct Found {
  const Route* route = nullptr;
  std::vector<std::string_view> ids;
  bool pathKnown = false;  // by another method
};

Found findRoute(std::string_view method, std::string_view path) {
  Found found;
  for (const auto& route : routes()) {
    auto ids = match(route.pattern, path);
    if (!ids) continue;
    found.pathKnown = true;
    if (route.method == method) return {&route, std::move(*ids), true};
  }
  return found;
}

bool openToAll(std::string_view method, std::string_view path) {
  if (method == "POST") return path == "/redfish/v1/SessionService/Sessions";
  return method == "GET" && (path == "/redfish" || path == "/redfish/v1");
}

std::string etagOf(const json::Value& body) {
  return fmt::format("W/\"{:016x}\"", std::hash<std::string>{}(json::serialize(body)));
}

std::string bare(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  return std::string(etag);
}

net::HttpResponse render(Reply reply) {
  net::HttpResponse response{.status = reply.status, .headers = std::move(reply.headers)};
  response.headers.set("OData-Version", "4.0");
  response.headers.set("Cache-Control", "no-cache");
  if (!reply.body.is_null()) {
    response.headers.set("Content-Type", "application/json");
    response.body = json::serialize(reply.body);
  }
  return response;
}

}  // namespace

Service::Service(base::Runtime runtime, Machine& machine, Journal& journal)
    : runtime_(std::move(runtime)), machine_(machine), journal_(journal) {}

Service::~Service() = default;

State& Service::state() {
  if (!state_) state_ = std::make_unique<State>();
  return *state_;
}

base::Task<void> Service::handle(net::ServerRequest request, net::Responder& out) {
  const auto& faults = machine_.faults;
  if (faults.has(Fault::drop) || machine_.bmcIsAway()) {
    out.abort();
    co_return;
  }
  if (faults.has(Fault::slow)) co_await runtime_.clock.sleepFor(faults.slowness);
  if (faults.has(Fault::hang)) {
    co_await runtime_.clock.sleepFor(forever);
    out.abort();
    co_return;
  }
  if (request.method == "GET" && isEventStream(trimSlash(request.path())) && userOf(request)) {
    if (auto refused = whyNoStream(state())) co_return co_await out.send(render(std::move(*refused)));
    co_return co_await pushEvents(machine_, state(), out);
  }
  const bool head = request.method == "HEAD";
  if (head) request.method = "GET";
  auto response = render(answer(request));
  co_await out.send(std::move(response));
}

Reply Service::answer(const net::ServerRequest& request) {
  const auto path = trimSlash(request.path());
  if (machine_.faults.has(Fault::serverErrors))
    return error(500, "InternalError", "The service has an internal error.");
  const bool hasBooted = std::exchange(bmcBoots_, machine_.bmcBoots()) != machine_.bmcBoots();
  if (state_ && (hasBooted || machine_.faults.has(Fault::expireSessions))) state_->sessions.clear();
  if (state_) state_->tasks.settle(runtime_.clock.now());
  if (openToAll(request.method, path)) return dispatch(request, "");

  const auto user = userOf(request);
  if (user) return dispatch(request, *user);
  if (request.headers.get("Authorization").starts_with("Basic ")) recordRefusedLogin(request);
  auto refused = error(401, "ResourceAtUriUnauthorized", "The user name, password or session is not valid.");
  refused.headers.set("WWW-Authenticate", "Basic realm=\"RedfishService\"");
  return refused;
}

std::optional<std::string> Service::userOf(const net::ServerRequest& request) {
  if (machine_.faults.has(Fault::refusePassword)) return std::nullopt;
  const auto token = request.headers.get("X-Auth-Token");
  if (!token.empty()) {
    const auto* session = state().sessions.use(token, runtime_.clock.now());
    return session ? std::optional(session->user) : std::nullopt;
  }
  const auto authorization = request.headers.get("Authorization");
  if (!authorization.starts_with("Basic ")) return std::nullopt;
  const auto& spec = machine_.spec();
  if (base::fromBase64(authorization.substr(6)) != spec.username + ":" + spec.password) return std::nullopt;
  return spec.username;
}

Reply Service::dispatch(const net::ServerRequest& request, const std::string& user) {
  const auto path = trimSlash(request.path());
  const auto found = findRoute(request.method, path);
  if (!found.route) {
    if (!found.pathKnown) return notFound(path);
    return error(405, "OperationNotAllowed", fmt::format("{} is not allowed here.", request.method));
  }
  if (!request.query().empty() && request.query().starts_with("$"))
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
  const auto wantedTag = request.headers.get("If-Match");
  if (!reads && !wantedTag.empty() && wantedTag != "*") {
    const auto current = findRoute("GET", path);
    Call look{runtime_, machine_, state(), path, current.ids, body, {}, {}};
    if (current.route && bare(etagOf(current.route->handler(look).body)) != bare(wantedTag))
      return error(412, "PreconditionFailed", "The resource has changed: the ETag does not match.");
  }

  Call call{runtime_, machine_, state(), path, found.ids, body, {}, {}};
  auto reply = found.route->handler(call);
  if (reads && reply.status == 200) reply.headers.set("ETag", etagOf(reply.body));
  if (!reads) recordChange(request, user, call, reply.status);
  return reply;
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
