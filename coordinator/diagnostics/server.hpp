// /metrics at --diagnostics-address: over HTTPS for whom Kubernetes knows and allows it, or over HTTP for everybody.
#pragma once

#include "coordinator/diagnostics/access.hpp"
#include "coordinator/options.hpp"
#include "net/server.hpp"

#include <memory>

namespace ingot::coordinator::diagnostics {

// In front of a handler of /metrics.
class Guard final : public net::HttpHandler {
 public:
  // Both outlive this. `access` nullptr: everybody may.
  Guard(net::HttpHandler& page, Access* access) : page_(page), access_(access) {}

  [[nodiscard]] bool isAuthenticated(const net::ServerRequest&) const override { return false; }
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  [[nodiscard]] base::Task<net::HttpResponse> refusal(const net::ServerRequest& request);  // 200: none

  net::HttpHandler& page_;
  Access* access_;
};

class Server {
 public:
  // Listens at once; throws base::Error. The certificate is made here and in nobody's trust, as that of the managers.
  // `page` and `api` outlive this.
  Server(base::Runtime runtime, const Options& options, net::HttpHandler& page, kube::Api& api);

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  // To be awaited before this is destroyed.
  [[nodiscard]] base::Task<void> stop();

 private:
  Access access_;
  Guard guard_;
  std::unique_ptr<net::Server> server_;
};

}  // namespace ingot::coordinator::diagnostics
