#include "coordinator/diagnostics/server.hpp"

#include "base/text.hpp"
#include "kube/core/error.hpp"
#include "net/certificates.hpp"
#include "net/open_server.hpp"

namespace ingot::coordinator::diagnostics {
namespace {

constexpr base::Duration certificateLasts = std::chrono::hours(24 * 3650);

net::HttpResponse said(int status, std::string text) {
  return {.status = status, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = std::move(text)};
}

// "": there is none.
base::Secret bearerOf(const net::ServerRequest& request) {
  constexpr std::string_view scheme = "bearer ";
  const std::string header = request.headers.get("Authorization");
  if (header.size() <= scheme.size() || !base::equalButForCase(header.substr(0, scheme.size()), scheme)) return {};
  return base::Secret(std::string(base::trimmed(std::string_view(header).substr(scheme.size()))));
}

net::ServerTls ownTls(const base::Runtime& runtime, const Options& options) {
  const auto now = runtime.clock.wall();
  const auto authority = net::CertificateAuthority::create("ingot-coordinator diagnostics", now, certificateLasts);
  const net::KeyPair pair = authority.issue(
      net::ServerCertificate{
          .commonName = "ingot-coordinator", .dnsNames = {"ingot-coordinator"}, .validity = certificateLasts},
      now);
  net::ServerTls tls = tlsOf(options);
  tls.certificatePem = pair.certificatePem;
  tls.privateKeyPem = pair.privateKeyPem;
  return tls;
}

std::unique_ptr<net::Server> listenFor(const base::Runtime& runtime, const Options& options, net::HttpHandler& guard) {
  const net::HostPort address = net::parseHostPort("--diagnostics-address", options.diagnosticsAddress);
  return net::listenForAll(runtime, address, guard,
                           options.insecureDiagnostics ? std::nullopt : std::optional(ownTls(runtime, options)));
}

}  // namespace

net::HttpHandler* Pages::at(std::string_view path) const {
  if (path == "/metrics") return &metrics;
  return path == shadow::Shadow::path ? shadow : nullptr;
}

base::Task<void> Guard::handle(net::ServerRequest request, net::Responder& out) {
  net::HttpResponse no = co_await refusal(request);
  if (no.status != 200) co_return co_await out.send(std::move(no));
  co_await pages_.at(request.path())->handle(std::move(request), out);
}

base::Task<net::HttpResponse> Guard::refusal(const net::ServerRequest& request) {
  if (request.method != "GET") co_return said(405, "method not allowed\n");
  const std::string path(request.path());
  if (pages_.at(path) == nullptr) co_return said(404, "not found\n");
  if (access_ == nullptr) co_return said(200, "");
  base::Secret token = bearerOf(request);
  if (token.empty()) co_return said(401, "Unauthorized\n");
  std::string problem;
  try {
    switch (co_await access_->mayGet(path, std::move(token))) {
      case Verdict::allowed: co_return said(200, "");
      case Verdict::stranger: co_return said(401, "Unauthorized\n");
      case Verdict::forbidden: co_return said(403, "may not get " + path + "\n");
    }
  } catch (const Busy& busy) {
    net::HttpResponse later = said(503, std::string(busy.what()) + "\n");
    later.headers.set("Retry-After", "1");
    co_return later;
  } catch (const kube::Error& error) {
    problem = kube::nameOf(error.code());
  }
  co_return said(500, "who asks could not be looked up: " + problem + "\n");
}

Server::Server(base::Runtime runtime, const Options& options, Pages pages, kube::Api& api)
    : access_(runtime, api),
      guard_(pages, options.insecureDiagnostics ? nullptr : &access_),
      server_(listenFor(runtime, options, guard_)) {
  runtime.log.info(
      "serving diagnostics",
      {{"address", options.diagnosticsAddress}, {"port", server_->port()}, {"secure", !options.insecureDiagnostics}});
}

base::Task<void> Server::stop() { return server_->stop(std::chrono::milliseconds(200)); }

}  // namespace ingot::coordinator::diagnostics
