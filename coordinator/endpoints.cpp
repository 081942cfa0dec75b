#include "coordinator/endpoints.hpp"

namespace ingot::coordinator {
namespace {

net::HttpResponse plainText(int status, std::string body, std::string type = "text/plain; charset=utf-8") {
  return {.status = status, .headers = {{"Content-Type", std::move(type)}}, .body = std::move(body)};
}

net::HttpResponse answerOf(const Readiness& readiness) {
  if (!readiness.obstacle.empty()) return plainText(503, "not ready: " + readiness.obstacle);
  return plainText(200, readiness.remark.empty() ? "ok" : "ok\n" + readiness.remark);
}

}  // namespace

void Endpoints::listen(const base::Runtime& runtime, const Options& options) {
  std::vector<std::pair<std::string, std::string>> wanted = {{"--health-addr", options.healthAddress}};
  if (options.metricsAddress != options.healthAddress) wanted.emplace_back("--metrics-addr", options.metricsAddress);
  for (const auto& [flag, text] : wanted) {
    if (text == "0" || text.empty()) continue;
    const HostPort address = parseHostPort(flag, text);
    servers_.push_back(
        net::listen(runtime, {.address = address.host, .port = address.port, .maxConnections = 64}, *this));
    runtime.log.info("serving health and metrics",
                     {{"flag", flag}, {"address", address.host}, {"port", servers_.back()->port()}});
  }
}

base::Task<void> Endpoints::stop() {
  for (const auto& server : servers_) co_await server->stop(std::chrono::milliseconds(200));
}

base::Task<void> Endpoints::handle(net::ServerRequest request, net::Responder& out) {
  if (request.method != "GET") co_return co_await out.send(plainText(405, "method not allowed\n"));
  co_await out.send(answer(request.path()));
}

net::HttpResponse Endpoints::answer(std::string_view path) const {
  if (path == "/healthz" || path == "/livez") return plainText(200, "ok");
  if (path == "/readyz") return answerOf(readiness_());
  if (path == "/metrics") return plainText(200, page_.expose(), "text/plain; version=0.0.4; charset=utf-8");
  return plainText(404, "not found\n");
}

}  // namespace ingot::coordinator
