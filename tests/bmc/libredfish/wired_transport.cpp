#include "tests/bmc/libredfish/wired_transport.hpp"

#include "bmc/libredfish/transport.hpp"
#include "net/exchange_rules.hpp"
#include "tests/bmc/libredfish/wire_traffic.hpp"

namespace ingot::tests {

namespace {

constexpr std::string_view numberHeader = "X-Exchange";
// Twice what a connection takes. libredfish takes all, and asks for all of its memory anew with each piece.
constexpr std::size_t longestBody = 8u << 20;

// Writes go out by sockets, so time stands still. The BMC names its resources by their paths: a whole URL is what
// libredfish cuts off (tests/bmc/libredfish/transport_test.cpp).
class WiredResponder final : public net::Responder {
 public:
  WiredResponder(WireTraffic& traffic, WireTraffic::Exchange& exchange, const net::Url& origin, net::Responder& out)
      : traffic_(traffic), exchange_(exchange), origin_(origin), out_(out) {}

  base::Task<void> send(net::HttpResponse response) override {
    if (response.body.size() > longestBody) response.body.resize(longestBody);
    if (const auto url = net::parseUrl(response.headers.get("Location")); url && url->host == origin_.host)
      response.headers.set("Location", url->path);
    co_await onTheWire(out_.send(std::move(response)));
  }
  base::Task<void> begin(int status, net::Headers headers) override {
    co_await onTheWire(out_.begin(status, std::move(headers)));
  }
  base::Task<void> write(std::string chunk) override { co_await onTheWire(out_.write(std::move(chunk))); }
  base::Task<void> end() override { co_await onTheWire(out_.end()); }
  void abort() override { out_.abort(); }

 private:
  base::Task<void> onTheWire(base::Task<void> writing) {
    traffic_.setHandled(exchange_, false);
    co_await std::move(writing);
    traffic_.setHandled(exchange_, true);
  }

  WireTraffic& traffic_;
  WireTraffic::Exchange& exchange_;
  const net::Url& origin_;
  net::Responder& out_;
};

class WiredHandler final : public net::HttpHandler {
 public:
  WiredHandler(std::shared_ptr<WireTraffic> traffic, net::Url origin, net::HttpHandler& handler)
      : traffic_(std::move(traffic)), origin_(std::move(origin)), handler_(handler) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    const auto exchange = traffic_->find(request.headers.get(numberHeader));
    if (!exchange) co_return out.abort();  // its client has given it up
    request.headers.remove(numberHeader);
    traffic_->setHandled(*exchange, true);
    const Leaving leaving(*traffic_, *exchange);
    WiredResponder wired(*traffic_, *exchange, origin_, out);
    try {
      co_await exchange->givenUp.run(handler_.handle(std::move(request), wired));
    } catch (const base::Cancelled&) {
      if (!exchange->givenUp.aborted()) throw;
      out.abort();
    }
  }

 private:
  struct Leaving {
    Leaving(WireTraffic& traffic, WireTraffic::Exchange& exchange) : traffic(traffic), exchange(exchange) {}
    ~Leaving() { traffic.setHandled(exchange, false); }
    Leaving(const Leaving&) = delete;
    Leaving& operator=(const Leaving&) = delete;
    WireTraffic& traffic;
    WireTraffic::Exchange& exchange;
  };

  std::shared_ptr<WireTraffic> traffic_;
  net::Url origin_;
  net::HttpHandler& handler_;
};

class WiredClient final : public net::HttpClient {
 public:
  WiredClient(std::shared_ptr<WireTraffic> traffic, std::unique_ptr<net::HttpClient> below, std::string here,
              std::string asked)
      : traffic_(std::move(traffic)), below_(std::move(below)), here_(std::move(here)), asked_(std::move(asked)) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    const auto traffic = traffic_;
    const Sending sending(*traffic);
    request.headers.set(numberHeader, sending.number);
    try {
      co_return co_await below_->send(std::move(request));
    } catch (const net::HttpError& error) {
      throw net::HttpError(error.code(), renamed(error.what()));
    }
  }
  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    return below_->open(std::move(request));
  }

 private:
  struct Sending {
    explicit Sending(WireTraffic& traffic) : traffic(traffic), number(traffic.begin()) {}
    ~Sending() { traffic.end(number); }
    Sending(const Sending&) = delete;
    Sending& operator=(const Sending&) = delete;
    WireTraffic& traffic;
    std::string number;
  };

  [[nodiscard]] std::string renamed(std::string text) const {
    if (const auto at = text.find(here_); at != std::string::npos) text.replace(at, here_.size(), asked_);
    return text;
  }

  std::shared_ptr<WireTraffic> traffic_;
  std::unique_ptr<net::HttpClient> below_;
  std::string here_, asked_;  // origins
};

}  // namespace

struct WiredTransport::Place {
  Place(const base::Runtime& runtime, net::Url origin, net::HttpHandler& inner)
      : traffic(std::make_shared<WireTraffic>(runtime.executor)),
        handler(traffic, std::move(origin), inner),
        server(net::listen(runtime, {}, handler)) {}

  std::shared_ptr<WireTraffic> traffic;
  WiredHandler handler;
  std::unique_ptr<net::Server> server;
};

WiredTransport::WiredTransport(base::Runtime runtime)
    : runtime_(std::move(runtime)), libredfish_(bmc::libredfish::transport(runtime_)) {}

WiredTransport::~WiredTransport() = default;

void WiredTransport::serve(const std::string& origin, net::HttpHandler& handler) {
  const auto url = net::Origin::parse(origin).url;
  places_[url.origin()] = std::make_unique<Place>(runtime_, url, handler);
}

base::Task<void> WiredTransport::close() {
  for (const auto& [origin, place] : places_) co_await place->server->stop({});
}

std::unique_ptr<net::HttpClient> WiredTransport::connect(net::ClientOptions options) {
  const auto asked = net::Origin::parse(options.baseUrl).url.origin();
  const auto& place = *places_.at(asked);
  options.baseUrl = fmt::format("http://127.0.0.1:{}", place.server->port());
  auto below = libredfish_->connect(options);
  return std::make_unique<WiredClient>(place.traffic, std::move(below), options.baseUrl, asked);
}

}  // namespace ingot::tests
