#include "agent/endpoint.hpp"

namespace ingot::agent {

namespace {

net::HttpResponse plain(int status, std::string text) {
  return {.status = status, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = std::move(text)};
}

}  // namespace

Endpoint::Endpoint(base::Runtime runtime, const base::Metrics& metrics, const std::string& address)
    : runtime_(runtime.named("http")), page_(runtime_, metrics) {
  const auto at = net::parseHostPort("--metrics-addr", address);
  server_ = net::listenForAll(runtime_, at, *this);
  runtime_.log.info("serving metrics", {{"address", address}, {"port", server_->port()}});
  if (!net::isLoopback(at.host))
    runtime_.log.warn("metrics are served over plain HTTP to whoever reaches this address",
                      {{"flag", "--metrics-addr"}, {"address", address}});
}

base::Task<void> Endpoint::handle(net::ServerRequest request, net::Responder& out) {
  if (request.method != "GET") co_return co_await out.send(plain(405, "method not allowed\n"));
  if (request.path() == "/metrics") co_return co_await page_.handle(std::move(request), out);
  if (request.path() == "/healthz") co_return co_await out.send(plain(200, "ok"));
  co_await out.send(plain(404, "not found\n"));
}

}  // namespace ingot::agent
