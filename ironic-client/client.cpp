#include "ironic-client/client.hpp"

#include "base/backoff.hpp"
#include "base/file.hpp"
#include "ironic-client/messages.hpp"
#include "net/url.hpp"

#include <fmt/format.h>

namespace ingot::ironic {

namespace {

constexpr unsigned attempts = 3;  // of one request, when connections break
constexpr base::Backoff pause{.first = std::chrono::milliseconds(200), .cap = std::chrono::seconds(2)};
constexpr std::size_t answerLimit = 64u << 20;  // a page of 1000 whole nodes is about 5 MB
constexpr int pageLimit = 1000;                 // pages; nobody has a million nodes

net::ClientOptions optionsFor(const Settings& settings, const std::string& origin) {
  net::ClientOptions out;
  out.baseUrl = origin;
  out.proxy = settings.proxy;
  out.maxConnections = 3;
  out.tls.verify = !settings.insecure;
  out.tls.caFile = settings.caFile;
  if (!settings.clientCertificateFile.empty()) {
    out.tls.certificatePem = base::readFile(settings.clientCertificateFile);
    out.tls.privateKeyPem = base::Secret(base::readFile(settings.clientKeyFile));
  }
  return out;
}

std::string nodePath(std::string_view idOrName, std::string_view below = "") {
  return "/nodes/" + net::percentEncode(idOrName) + std::string(below);
}

bool isRead(std::string_view method) { return method == "GET"; }

// Whether the server cannot have seen the request.
bool neverSent(net::HttpError::Code code) { return code == net::HttpError::Code::unreachable; }

bool mayRepeat(std::string_view method, net::HttpError::Code code) {
  return neverSent(code) || (isRead(method) && code == net::HttpError::Code::reset);
}

Error translated(const net::HttpError& error, const net::HttpRequest& request) {
  using Code = net::HttpError::Code;
  const bool unknownOutcome = !isRead(request.method) && (error.code() == Code::reset || error.code() == Code::timeout);
  return {unknownOutcome ? Error::Code::interrupted : Error::Code::unavailable,
          fmt::format("{} {}: {}", request.method, request.target, error.what())};
}

template <class T>
T decoded(const json::Value& body, std::string_view what) {
  try {
    return json::decode<T>(body);
  } catch (const json::DecodeError& error) {
    throw Error(Error::Code::unreadable, fmt::format("{}: {}", what, error.what()));
  }
}

json::Value bodyOf(const net::HttpResponse& response, const std::string& target) {
  if (response.body.empty()) return {};
  try {
    return json::parse(response.body, {.bytes = answerLimit});
  } catch (const json::ParseError& error) {
    throw Error(Error::Code::unreadable, fmt::format("GET {}: {}", target, error.what()), response.status);
  }
}

}  // namespace

Client::Client(base::Runtime runtime, net::HttpTransport& transport, Settings settings)
    : runtime_(runtime.named("ironic")), settings_(std::move(settings)) {
  const auto url = net::parseUrl(settings_.endpoint);
  if (!url) throw base::InvalidInput("IRONIC_ENDPOINT", "\"" + settings_.endpoint + "\" is not a URL");
  origin_ = url->origin();
  prefix_ = url->path == "/" ? "" : url->path;
  while (prefix_.ends_with('/')) prefix_.pop_back();

  net::ClientOptions options = optionsFor(settings_, origin_);
  net::ClientOptions open = options;
  open.maxConnections = 1;
  anonymous_ = transport.connect(std::move(open));
  options.basicUser = settings_.username;
  options.basicPassword = settings_.password;
  http_ = transport.connect(std::move(options));
}

Client::~Client() = default;

base::Task<Features> Client::probe() {
  const Answer version = co_await call("GET", "/", std::nullopt, {200, 300}, true);
  const Features features = negotiate(version.body);
  features_ = features;
  const Answer drivers = co_await call("GET", "/drivers", std::nullopt, {200});
  const json::Array* all = json::arrayAt(drivers.body, {"drivers"});
  if (!all || all->empty()) throw Error(Error::Code::noDrivers, "no drivers loaded in ironic");
  co_return features;
}

base::Task<net::HttpResponse> Client::exchange(net::HttpRequest request) {
  for (unsigned attempt = 0;; ++attempt) {
    std::optional<Error> failure;
    try {
      co_return co_await http_->send(request);
    } catch (const net::HttpError& error) {
      failure = translated(error, request);
      if (attempt + 1 >= attempts || !mayRepeat(request.method, error.code())) throw *failure;
    }
    runtime_.log.debug("repeating a request", {{"reason", failure->what()}});
    co_await runtime_.clock.sleepFor(pause.delay(attempt, runtime_.random));
  }
}

base::Task<Client::Answer> Client::call(std::string method, std::string path, std::optional<json::Value> body,
                                        std::vector<int> accepted, bool probing) {
  net::HttpRequest request;
  request.method = method;
  request.target = prefix_ + path;
  request.deadline = settings_.timeout;
  request.bodyLimit = answerLimit;
  request.headers.set("Accept", "application/json");
  if (body) {
    request.headers.set("Content-Type", "application/json");
    request.body = json::serialize(*body);
  }
  if (!probing) {
    request.headers.set("X-OpenStack-Ironic-API-Version", features_.microversion());
    request.headers.set("OpenStack-API-Version", "baremetal " + features_.microversion());
  }

  net::HttpResponse response;
  if (probing) {
    try {
      response = co_await anonymous_->send(request);
    } catch (const net::HttpError& error) {
      throw translated(error, request);
    }
  } else {
    response = co_await exchange(request);
  }
  if (std::find(accepted.begin(), accepted.end(), response.status) == accepted.end())
    throw errorFrom(method, origin_ + request.target, accepted.front(), response.status, response.body);
  co_return Answer{response.status, bodyOf(response, request.target)};
}

base::Task<std::vector<json::Value>> Client::pages(std::string path, std::string_view items) {
  std::vector<json::Value> out;
  std::string seen;
  for (int page = 0; page < pageLimit && !path.empty() && path != seen; ++page) {
    seen = path;
    Answer answer = co_await call("GET", path, std::nullopt, {200, 204});
    const json::Array* all = json::arrayAt(answer.body, {items});
    if (all) out.insert(out.end(), all->begin(), all->end());
    path = messages::nextPage(answer.body, prefix_);
  }
  co_return out;
}

base::Task<std::optional<Node>> Client::findNode(std::string idOrName) {
  const Answer answer = co_await call("GET", nodePath(idOrName), std::nullopt, {200, 404});
  if (answer.status == 404) co_return std::nullopt;
  co_return decoded<Node>(answer.body, "node " + idOrName);
}

base::Task<std::vector<Node>> Client::listNodes(std::vector<std::string> fields) {
  const std::string query = fields.empty() ? "?detail=true" : "?fields=" + fmt::format("{}", fmt::join(fields, ","));
  const std::vector<json::Value> found = co_await pages("/nodes" + query, "nodes");
  std::vector<Node> out;
  out.reserve(found.size());
  for (const json::Value& item : found) out.push_back(decoded<Node>(item, "nodes"));
  co_return out;
}

base::Task<Node> Client::createNode(json::Object record) {
  const std::string name = json::textAt(record, {"name"});
  bool maybeCreated = false;
  for (unsigned attempt = 0;; ++attempt) {
    std::optional<Error> failure;
    try {
      const Answer answer = co_await call("POST", "/nodes", json::Value(record), {201, 202});
      co_return decoded<Node>(answer.body, "the new node");
    } catch (const Error& error) {
      failure = error;
    }
    const bool lost = failure->code() == Error::Code::interrupted;
    const bool echo = maybeCreated && failure->code() == Error::Code::conflict;  // the lost request got through
    if ((!lost && !echo) || name.empty()) throw *failure;
    maybeCreated = true;
    if (auto node = co_await findNode(name)) co_return std::move(*node);
    if (attempt + 1 >= attempts) throw *failure;
  }
}

base::Task<Node> Client::updateNode(std::string uuid, NodePatch patch) {
  const Answer answer = co_await call("PATCH", nodePath(uuid), json::Value(patch.operations()), {200});
  co_return decoded<Node>(answer.body, "node " + uuid);
}

base::Task<void> Client::deleteNode(std::string uuid) {
  static_cast<void>(co_await call("DELETE", nodePath(uuid), std::nullopt, {202, 204}));
}

base::Task<void> Client::changeState(std::string uuid, ProvisionRequest request) {
  static_cast<void>(
      co_await call("PUT", nodePath(uuid, "/states/provision"), json::Value(messages::provisionBody(request)), {202}));
}

base::Task<void> Client::changePower(std::string uuid, PowerTarget target,
                                     std::optional<std::chrono::seconds> softTimeout) {
  json::Object body{{"target", json::textOf(target)}};
  if (softTimeout) body["timeout"] = softTimeout->count();
  static_cast<void>(co_await call("PUT", nodePath(uuid, "/states/power"), json::Value(std::move(body)), {202}));
}

base::Task<void> Client::setMaintenance(std::string uuid, std::string reason) {
  json::Object body{{"reason", std::move(reason)}};
  static_cast<void>(co_await call("PUT", nodePath(uuid, "/maintenance"), json::Value(std::move(body)), {202}));
}

base::Task<void> Client::clearMaintenance(std::string uuid) {
  static_cast<void>(co_await call("DELETE", nodePath(uuid, "/maintenance"), std::nullopt, {202}));
}

base::Task<Validation> Client::validate(std::string uuid) {
  const Answer answer = co_await call("GET", nodePath(uuid, "/validate"), std::nullopt, {200});
  co_return decoded<Validation>(answer.body, "validation of node " + uuid);
}

base::Task<std::optional<Inventory>> Client::inventory(std::string uuid) {
  const Answer answer = co_await call("GET", nodePath(uuid, "/inventory"), std::nullopt, {200, 404});
  if (answer.status == 404) co_return std::nullopt;
  Inventory out;
  if (const json::Object* found = json::objectAt(answer.body, {"inventory"})) out.inventory = *found;
  if (const json::Object* found = json::objectAt(answer.body, {"plugin_data"})) out.pluginData = *found;
  co_return out;
}

base::Task<std::vector<HistoryEvent>> Client::history(std::string uuid, int count) {
  const std::string query = fmt::format("/history?detail=true&sort_key=created_at&sort_dir=desc&limit={}", count);
  const Answer answer = co_await call("GET", nodePath(uuid, query), std::nullopt, {200});
  std::vector<HistoryEvent> out;
  const json::Array* all = json::arrayAt(answer.body, {"history"});
  if (!all) co_return out;
  out.reserve(all->size());
  for (const json::Value& item : *all) out.push_back(decoded<HistoryEvent>(item, "history of node " + uuid));
  co_return out;
}

namespace {

constexpr std::string_view portFields = "fields=node_uuid,uuid,address";

std::vector<Port> portsFrom(const std::vector<json::Value>& items) {
  std::vector<Port> out;
  out.reserve(items.size());
  for (const json::Value& item : items) out.push_back(decoded<Port>(item, "ports"));
  return out;
}

}  // namespace

base::Task<std::vector<Port>> Client::portsOfNode(std::string nodeUuid) {
  co_return portsFrom(
      co_await pages(fmt::format("/ports?{}&node_uuid={}", portFields, net::percentEncode(nodeUuid)), "ports"));
}

base::Task<std::vector<Port>> Client::portsByAddress(std::string mac) {
  co_return portsFrom(
      co_await pages(fmt::format("/ports?address={}&{}", net::percentEncode(mac), portFields), "ports"));
}

base::Task<Port> Client::createPort(Port port) {
  for (unsigned attempt = 0;; ++attempt) {
    std::optional<Error> failure;
    try {
      const Answer answer = co_await call("POST", "/ports", json::encode(port), {201, 202});
      co_return decoded<Port>(answer.body, "the new port");
    } catch (const Error& error) {
      failure = error;
    }
    if (failure->code() != Error::Code::interrupted) throw *failure;
    for (Port& found : co_await portsByAddress(port.address))
      if (found.nodeUuid == port.nodeUuid) co_return std::move(found);
    if (attempt + 1 >= attempts) throw *failure;
  }
}

}  // namespace ingot::ironic
