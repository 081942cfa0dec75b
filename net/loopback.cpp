#include "net/loopback.hpp"

#include "base/file.hpp"
#include "base/sync.hpp"
#include "net/basic_credentials.hpp"
#include "net/exchange_rules.hpp"
#include "net/loopback_exchange.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <list>

namespace ingot::net {
namespace {

using base::Task;
using Exchange = std::shared_ptr<LoopbackExchange>;

struct Route {
  HttpHandler* handler;
  PeerIdentity peer;
  std::list<Exchange> running;
};

std::string normalised(const std::string& origin) { return Origin::parse(origin).url.origin(); }

}  // namespace

struct Loopback::State : std::enable_shared_from_this<State> {
  State(base::Runtime r) : runtime(std::move(r)), ended(runtime.executor) {}

  base::Runtime runtime;
  std::map<std::string, std::shared_ptr<Route>> routes;
  std::size_t running = 0;
  base::Notifier ended;
  const std::function<void(const ClientOptions&, const HttpRequest&)>* before = nullptr;  // null without its Loopback

  Exchange start(const std::shared_ptr<Route>& route, ServerRequest request) {
    auto exchange = std::make_shared<LoopbackExchange>(runtime.executor);
    const auto place = route->running.insert(route->running.end(), exchange);
    ++running;
    auto done = [self = shared_from_this(), route, place](const std::exception_ptr&) {
      route->running.erase(place);
      --self->running;
      self->ended.notifyAll();
    };
    request.peer = route->peer;
    request.remoteAddress = request.localAddress = "loopback";
    boost::asio::co_spawn(runtime.executor, keepAlive(exchange, *route->handler, std::move(request)), std::move(done));
    return exchange;
  }

  // Holds the exchange while it runs, and starts through the loop: never inside the client's call.
  static Task<void> keepAlive(Exchange exchange, HttpHandler& handler, ServerRequest request) {
    co_await boost::asio::post(boost::asio::use_awaitable);
    co_await exchange->run(handler, std::move(request));
  }

  void cut(const std::shared_ptr<Route>& route) {
    for (const auto& exchange : std::list(route->running)) exchange->cut();
  }
};

namespace {

// The client's interest in an exchange.
class Interest {
 public:
  explicit Interest(Exchange exchange) : exchange_(std::move(exchange)) {}
  Interest(Interest&&) noexcept = default;
  Interest& operator=(Interest&&) = delete;
  ~Interest() {
    if (exchange_) exchange_->drop();
  }
  LoopbackExchange* operator->() const { return exchange_.get(); }

 private:
  Exchange exchange_;
};

class LoopbackStream final : public HttpStream {
 public:
  LoopbackStream(base::Clock& clock, std::string name, base::Semaphore::Units unit, Interest exchange)
      : clock_(clock), name_(std::move(name)), unit_(std::move(unit)), exchange_(std::move(exchange)) {}

  [[nodiscard]] int status() const override { return exchange_->status; }
  [[nodiscard]] const Headers& headers() const override { return exchange_->headers; }

  Task<std::optional<std::string>> next(base::Duration idle) override {
    const auto deadline = clock_.now() + idle;
    while (!exchange_->readable() && !exchange_->over()) {
      if (!co_await exchange_->changed.waitUntil(clock_, deadline)) {
        throw HttpError(HttpError::Code::timeout, name_ + ": the stream was silent for too long");
      }
    }
    if (exchange_->readable()) co_return exchange_->takeBody();
    exchange_->throwIfFailed(name_);
    co_return std::nullopt;
  }

 private:
  base::Clock& clock_;
  std::string name_;
  base::Semaphore::Units unit_;
  Interest exchange_;
};

}  // namespace

// One client; the same rules as the real one, from the same functions.
class LoopbackClient final : public HttpClient {
 public:
  LoopbackClient(std::shared_ptr<Loopback::State> state, ClientOptions options)
      : state_(std::move(state)),
        options_(std::move(options)),
        origin_(Origin::parse(options_.baseUrl)),
        connections_(state_->runtime.executor, options_.maxConnections) {}

  Task<HttpResponse> send(HttpRequest request) override {
    auto& clock = state_->runtime.clock;
    const auto deadline = clock.now() + request.deadline;
    const auto limit = request.bodyLimit;
    const auto name = nameOf(request, origin_, origin_.resolve(request.target));
    const auto unit = co_await acquireConnection(connections_, clock, deadline, name);
    const Interest exchange(start(std::move(request), name));
    HttpResponse response;
    while (true) {
      response.body += exchange->takeBody();
      if (response.body.size() > limit) {
        throw HttpError(HttpError::Code::bodyTooLarge,
                        fmt::format("{}: the answer is larger than {} bytes", name, limit));
      }
      if (exchange->over()) break;
      if (!co_await exchange->changed.waitUntil(clock, deadline)) {
        throw HttpError(HttpError::Code::timeout, name + ": no answer in time");
      }
    }
    exchange->throwIfFailed(name);
    response.status = exchange->status;
    response.headers = exchange->headers;
    co_return response;
  }

  Task<std::unique_ptr<HttpStream>> open(HttpRequest request) override {
    auto& clock = state_->runtime.clock;
    const auto deadline = clock.now() + request.deadline;
    const auto name = nameOf(request, origin_, origin_.resolve(request.target));
    auto unit = co_await acquireConnection(connections_, clock, deadline, name);
    Interest exchange(start(std::move(request), name));
    while (!exchange->begun() && !exchange->over()) {
      if (!co_await exchange->changed.waitUntil(clock, deadline)) {
        throw HttpError(HttpError::Code::timeout, name + ": no headers of an answer in time");
      }
    }
    if (!exchange->begun()) exchange->throwIfFailed(name);
    co_return std::make_unique<LoopbackStream>(clock, name, std::move(unit), std::move(exchange));
  }

 private:
  Exchange start(HttpRequest request, const std::string& name) {
    const auto target = origin_.resolve(request.target);
    checkSendable(request, target);
    if (state_->before && *state_->before) (*state_->before)(options_, request);
    const auto found = state_->routes.find(origin_.url.origin());
    if (found == state_->routes.end()) {
      throw HttpError(HttpError::Code::unreachable, name + ": nothing is served there");
    }
    if (request.beforeSending) request.beforeSending();
    ServerRequest received{.method = std::move(request.method),
                           .target = target,
                           .headers = std::move(request.headers),
                           .body = std::move(request.body)};
    addUsualHeaders(received);
    return state_->start(found->second, std::move(received));
  }

  void addUsualHeaders(ServerRequest& request) const {
    auto& headers = request.headers;
    const auto& url = origin_.url;
    const auto setIfAbsent = [&](std::string_view name, std::string value) {
      if (!headers.find(name)) headers.set(name, std::move(value));
    };
    setIfAbsent("Host", url.origin().substr(url.scheme.size() + 3));
    setIfAbsent("User-Agent", options_.userAgent);
    if (!request.body.empty()) headers.set("Content-Length", std::to_string(request.body.size()));
    if (!options_.basicUser.empty()) {
      setIfAbsent("Authorization", "Basic " + basicCredentials(options_.basicUser, options_.basicPassword));
    } else if (!options_.bearerToken.empty()) {
      setIfAbsent("Authorization", "Bearer " + options_.bearerToken.reveal());
    }
  }

  std::shared_ptr<Loopback::State> state_;
  ClientOptions options_;
  Origin origin_;
  base::Semaphore connections_;
};

Loopback::Loopback(base::Runtime runtime) : state_(std::make_shared<State>(std::move(runtime))) {
  state_->before = &beforeRequest;
}

Loopback::~Loopback() {
  state_->before = nullptr;
  for (const auto& [origin, route] : std::exchange(state_->routes, {})) state_->cut(route);
}

void Loopback::serve(std::string origin, HttpHandler& handler, PeerIdentity peer) {
  state_->routes[normalised(origin)] = std::make_shared<Route>(Route{&handler, std::move(peer), {}});
}

void Loopback::remove(const std::string& origin) {
  const auto found = state_->routes.find(normalised(origin));
  if (found == state_->routes.end()) return;
  const auto route = found->second;
  state_->routes.erase(found);
  state_->cut(route);
}

Task<void> Loopback::close() {
  const auto state = state_;
  for (const auto& [origin, route] : std::exchange(state->routes, {})) state->cut(route);
  while (state->running > 0) co_await state->ended.wait();
}

std::unique_ptr<HttpClient> Loopback::connect(ClientOptions options) {
  try {  // as the transport over sockets does; what is in the file matters to nobody here
    if (!options.tls.caFile.empty()) static_cast<void>(base::readFile(options.tls.caFile));
  } catch (const base::Error& error) {
    throw HttpError(HttpError::Code::tls, std::string("the CA file is not usable: ") + error.what());
  }
  return std::make_unique<LoopbackClient>(state_, std::move(options));
}

}  // namespace ingot::net
