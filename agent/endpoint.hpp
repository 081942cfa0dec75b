// /metrics and /healthz of an agent, over plain HTTP.
#pragma once

#include "base/metrics.hpp"
#include "net/metrics_page.hpp"
#include "net/open_server.hpp"

#include <memory>
#include <string>

namespace ingot::agent {

class Endpoint final : public net::HttpHandler {
 public:
  // `metrics` outlives this. Throws base::Error when the address cannot be had.
  Endpoint(base::Runtime runtime, const base::Metrics& metrics, const std::string& address);

  [[nodiscard]] bool isAuthenticated(const net::ServerRequest&) const override { return false; }
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] base::Task<void> stop() { return server_->stop(std::chrono::milliseconds(200)); }

 private:
  base::Runtime runtime_;
  net::MetricsPage page_;
  std::unique_ptr<net::Server> server_;
};

}  // namespace ingot::agent
