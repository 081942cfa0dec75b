#include "coordinator/endpoints.hpp"

#include "base/ip_address.hpp"
#include "net/open_server.hpp"

namespace ingot::coordinator {
namespace {

net::HttpResponse plainText(int status, std::string body) {
  return {.status = status, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = std::move(body)};
}

net::HttpResponse answerOf(const Readiness& readiness) {
  if (!readiness.obstacle.empty()) return plainText(503, "not ready: " + readiness.obstacle);
  return plainText(200, readiness.remark.empty() ? "ok" : "ok\n" + readiness.remark);
}

bool isServed(const std::string& address) { return !address.empty() && address != "0"; }

}  // namespace

struct Endpoints::Served {
  bool health = false, metrics = false, readings = false, shadow = false;
};

class Endpoints::Listener final : public net::HttpHandler {
 public:
  Listener(Endpoints& all, const net::HostPort& at, Served served)
      : all_(all), served_(served), server_(net::listenForAll(all.runtime_, at, *this)) {}

  [[nodiscard]] net::Server& server() { return *server_; }

  [[nodiscard]] bool isAuthenticated(const net::ServerRequest&) const override { return false; }

  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (request.method != "GET") co_return co_await out.send(plainText(405, "method not allowed\n"));
    if (served_.metrics && request.path() == "/metrics")
      co_return co_await all_.metrics_.handle(std::move(request), out);
    if (served_.readings && readings::Api::serves(request.path()))
      co_return co_await all_.readings_->handle(std::move(request), out);
    if (served_.shadow && request.path() == shadow::Shadow::path)
      co_return co_await all_.shadow_->handle(std::move(request), out);
    co_await out.send(served_.health ? health(request.path()) : plainText(404, "not found\n"));
  }

 private:
  [[nodiscard]] net::HttpResponse health(std::string_view path) const {
    if (path == "/healthz" || path == "/livez") return plainText(200, "ok");
    if (path == "/readyz") return answerOf(all_.readiness_());
    return plainText(404, "not found\n");
  }

  Endpoints& all_;
  Served served_;
  std::unique_ptr<net::Server> server_;
};

Endpoints::Endpoints(const base::Runtime& runtime, const base::Metrics& metrics, std::function<Readiness()> readiness,
                     readings::Api* readings, shadow::Shadow* shadow)
    : runtime_(runtime.named("http")),
      metrics_(runtime, metrics),
      readiness_(std::move(readiness)),
      readings_(readings),
      shadow_(shadow) {}

Endpoints::~Endpoints() = default;

void Endpoints::listen(const Options& options) {
  const bool areOne = options.healthAddress == options.metricsAddress;
  listen("--health-addr", options.healthAddress, {.health = true, .metrics = areOne});
  if (!areOne) listen("--metrics-addr", options.metricsAddress, {.metrics = true});
}

void Endpoints::listen(const std::string& flag, const std::string& address, Served served) {
  if (!isServed(address)) return;
  const net::HostPort at = net::parseHostPort(flag, address);
  const bool isForThisMachine = served.metrics && net::isLoopback(at.host);
  served.readings = isForThisMachine && readings_ != nullptr;
  served.shadow = isForThisMachine && shadow_ != nullptr;
  auto& listener = *listeners_.emplace_back(std::make_unique<Listener>(*this, at, served));
  const auto* what = !served.metrics  ? "serving health"
                     : !served.health ? "serving metrics"
                                      : "serving health and metrics";
  runtime_.log.info(what, {{"flag", flag}, {"address", address}, {"port", listener.server().port()}});
  if (served.metrics && !net::isLoopback(at.host))
    runtime_.log.warn(
        "metrics are served over plain HTTP to whoever reaches this address; --diagnostics-address "
        "serves them over HTTPS to who may read them",
        {{"flag", "--metrics-addr"}, {"address", address}});
}

base::Task<void> Endpoints::stop() {
  for (const auto& listener : listeners_) co_await listener->server().stop(std::chrono::milliseconds(200));
}

}  // namespace ingot::coordinator
