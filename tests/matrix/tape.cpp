#include "tests/matrix/tape.hpp"

#include "json/codec.hpp"
#include "json/value.hpp"
#include "tests/support/ironic/api.hpp"
#include "wire/codec.hpp"

namespace ingot::tests::matrix {

namespace {

std::vector<std::string> segments(std::string_view target) {
  std::vector<std::string> out;
  target = target.substr(0, target.find('?'));
  while (!target.empty()) {
    const auto slash = std::min(target.find('/'), target.size());
    if (slash > 0) out.emplace_back(target.substr(0, slash));
    target.remove_prefix(std::min(slash + 1, target.size()));
  }
  return out;
}

json::Value bodyOf(const net::HttpRequest& request) {
  return request.body.empty() ? json::Value() : json::parse(request.body);
}

// The list of all nodes.
bool isSweep(const net::HttpRequest& request) {
  return request.method == "GET" && segments(request.target) == std::vector<std::string>{"v1", "nodes"};
}

// "metal~a" → "a"
std::string afterTilde(const std::string& name) { return name.substr(name.find('~') + 1); }

// "a-bmc" → "a"
std::string ownerOfSecret(const std::string& name) { return name.substr(0, name.rfind("-bmc")); }

Effect ironicEffect(const net::HttpRequest& request, const Tape& tape) {
  const auto path = segments(request.target);  // v1, nodes, UUID, states, provision
  const auto body = bodyOf(request);
  const std::string collection = path.size() > 1 ? path[1] : "";
  if (collection == "ports") return {tape.hostOfNode(json::textAt(body, {"node_uuid"})), request.method + " ports"};
  if (path.size() < 3) return {afterTilde(json::textAt(body, {"name"})), request.method + " nodes"};
  const std::string leaf = path.size() > 3 ? path.back() : "node";
  const std::string target = body.is_object() ? json::textAt(body, {"target"}) : "";
  if (path[2].find('~') != std::string::npos) return {afterTilde(path[2]), request.method + " node by name"};
  return {tape.hostOfNode(path[2]), fmt::format("{} {}{}", request.method, leaf, target.empty() ? "" : " " + target)};
}

Effect kubeEffect(const net::HttpRequest& request) {
  const auto path = segments(request.target);
  const auto at = std::ranges::find(path, "namespaces");
  if (std::distance(at, path.end()) < 3) return {};
  const std::string& resource = at[2];
  std::string name = std::distance(at, path.end()) > 3 ? at[3] : json::textAt(bodyOf(request), {"metadata", "name"});
  const std::string sub = std::distance(at, path.end()) > 4 ? "/" + at[4] : "";
  if (resource == "events") {
    const auto body = bodyOf(request);
    const std::string host = json::textAt(body, {"involvedObject", "name"});
    return {host, fmt::format("{} events {}", request.method, json::textAt(body, {"reason"}))};
  }
  if (resource == "secrets") name = ownerOfSecret(name);
  return {name, fmt::format("{} {}{}", request.method, resource, sub)};
}

net::HttpResponse refusal(bool ofIronic, int status) {
  if (ofIronic) return fake::refusal({status, "injected"});
  const json::Object body{{"kind", "Status"},    {"apiVersion", "v1"},
                          {"status", "Failure"}, {"message", "injected"},
                          {"code", status},      {"reason", status == 409 ? "Conflict" : "InternalError"}};
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

class Client final : public net::HttpClient {
 public:
  Client(std::unique_ptr<net::HttpClient> inner, Tape& tape, bool ofIronic)
      : inner_(std::move(inner)), tape_(tape), ofIronic_(ofIronic) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    if (ofIronic_ && isSweep(request) && tape_.sweepsFail()) co_return refusal(true, 503);
    const auto fault = tape_.pass(tape_.effectOf(ofIronic_, request));
    if (!fault) co_return co_await inner_->send(std::move(request));
    switch (*fault) {
      case Fault::answers500: co_return refusal(ofIronic_, 500);
      case Fault::answers503: co_return refusal(ofIronic_, 503);
      case Fault::answers409: co_return refusal(ofIronic_, 409);
      case Fault::killedBefore: tape_.die(); [[fallthrough]];
      case Fault::brokenBefore: throw net::HttpError(net::HttpError::Code::reset, "injected: nothing was done");
      default: break;
    }
    const base::Duration limit = request.deadline;
    static_cast<void>(co_await inner_->send(std::move(request)));
    if (*fault == Fault::killedAfter) tape_.die();
    if (*fault == Fault::late) {
      co_await tape_.clock().sleepFor(limit);
      throw net::HttpError(net::HttpError::Code::timeout, "injected: no answer");
    }
    throw net::HttpError(net::HttpError::Code::reset, "injected: the answer is lost");
  }

  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    return inner_->open(std::move(request));
  }

 private:
  std::unique_ptr<net::HttpClient> inner_;
  Tape& tape_;
  bool ofIronic_;
};

bool ofSurroundings(Fault fault) { return fault >= Fault::agentLost; }

}  // namespace

Effect Tape::effectOf(bool toIronic, const net::HttpRequest& request) const {
  return toIronic ? ironicEffect(request, *this) : kubeEffect(request);
}

std::optional<Effect> Tape::effectOf(const std::string& message) const {
  const auto decoded = wire::decode(message);
  if (!decoded) return std::nullopt;
  const auto* command = std::get_if<wire::Command>(&*decoded);
  if (command == nullptr) return std::nullopt;
  return Effect{hostOfUid(command->host), "command " + command->action};
}

std::optional<Fault> Tape::pass(const Effect& effect) {
  if (effect.host.empty()) return std::nullopt;
  Point point{stateOf(effect.host), effect.what};
  auto& seen = seen_[effect.host];
  point.nth += static_cast<int>(
      std::ranges::count_if(seen, [&](const Point& p) { return p.state == point.state && p.what == point.what; }));
  if (point.reads() && point.nth > 1) return std::nullopt;
  seen.push_back(point);
  const auto armed = armed_.find(effect.host);
  if (armed == armed_.end() || armed->second.struck || armed->second.fault.at != point) return std::nullopt;
  armed->second.struck = true;
  const Fault fault = armed->second.fault.fault;
  if (!ofSurroundings(fault)) return fault;
  strike(effect.host, fault);
  return std::nullopt;
}

std::unique_ptr<net::HttpClient> TapedTransport::connect(net::ClientOptions options) {
  const bool ofIronic = options.baseUrl.starts_with(ironicOrigin_);
  return std::make_unique<Client>(inner_.connect(std::move(options)), tape_, ofIronic);
}

// A message is sent or it is not: of the faults of a request only death, and a loss on the way, can happen to it.
bool TapedLink::send(const std::string& peer, std::string bytes) {
  const auto effect = tape_.effectOf(bytes);
  const auto fault = effect ? tape_.pass(*effect) : std::nullopt;
  if (fault == Fault::brokenBefore) return true;
  if (fault == Fault::killedBefore) tape_.die();
  const bool sent = inner_->send(peer, std::move(bytes));
  if (fault == Fault::killedAfter) tape_.die();
  return sent;
}

}  // namespace ingot::tests::matrix
