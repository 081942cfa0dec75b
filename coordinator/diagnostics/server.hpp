// /metrics, and in shadow its report, at --diagnostics-address: over HTTPS for whom Kubernetes knows and allows it, or
// over HTTP for everybody.
#pragma once

#include "coordinator/diagnostics/access.hpp"
#include "coordinator/options.hpp"
#include "coordinator/shadow/shadow.hpp"
#include "net/server.hpp"

#include <memory>

namespace ingot::coordinator::diagnostics {

// All of them outlive the server.
struct Pages {
  net::HttpHandler& metrics;
  shadow::Shadow* shadow = nullptr;  // nullptr: there is none

  [[nodiscard]] net::HttpHandler* at(std::string_view path) const;  // nullptr: nothing is there
};

// In front of these.
class Guard final : public net::HttpHandler {
 public:
  // `access` outlives this; nullptr: everybody may.
  Guard(Pages pages, Access* access) : pages_(pages), access_(access) {}

  [[nodiscard]] bool isAuthenticated(const net::ServerRequest&) const override { return false; }
  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  [[nodiscard]] base::Task<net::HttpResponse> refusal(const net::ServerRequest& request);  // 200: none

  Pages pages_;
  Access* access_;
};

class Server {
 public:
  // Listens at once; throws base::Error. The certificate is made here and in nobody's trust, as that of the managers.
  // `api` outlives this.
  Server(base::Runtime runtime, const Options& options, Pages pages, kube::Api& api);

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  // To be awaited before this is destroyed.
  [[nodiscard]] base::Task<void> stop();

 private:
  Access access_;
  Guard guard_;
  std::unique_ptr<net::Server> server_;
};

}  // namespace ingot::coordinator::diagnostics
