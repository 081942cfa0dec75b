#include "tests/net/pair.hpp"

using namespace std::chrono_literals;

namespace ingot::tests {
namespace {

class SocketPair final : public Pair {
 public:
  SocketPair(base::Runtime runtime, net::HttpHandler& handler, net::ServerOptions options, bool tls) : tls_(tls) {
    const auto& ids = Identities::get();
    if (tls)
      options.tls = net::ServerTls{ids.server.certificatePem, ids.server.privateKeyPem, ids.authority.certificatePem()};
    server_ = net::listen(runtime, options, handler);
    transport_ = net::curlTransport(runtime);
  }

  net::HttpTransport& transport() override { return *transport_; }

  net::ClientOptions options() override {
    const auto& ids = Identities::get();
    net::ClientOptions options;
    options.baseUrl = fmt::format("{}://127.0.0.1:{}", tls_ ? "https" : "http", server_->port());
    if (tls_) {
      options.tls.caPem = ids.authority.certificatePem();
      options.tls.certificatePem = ids.client.certificatePem;
      options.tls.privateKeyPem = ids.client.privateKeyPem;
    }
    return options;
  }

  base::Task<void> stop() override { return server_->stop(0s); }
  std::string name() const override { return tls_ ? "TLS" : "plain"; }

 private:
  bool tls_;
  std::unique_ptr<net::Server> server_;
  std::unique_ptr<net::HttpTransport> transport_;
};

class MemoryPair final : public Pair {
 public:
  MemoryPair(base::Runtime runtime, net::HttpHandler& handler) : loopback_(runtime) {
    loopback_.serve("https://127.0.0.1:6443", handler, {"alice", {"admins", "staff"}});
  }
  net::HttpTransport& transport() override { return loopback_; }
  net::ClientOptions options() override {
    net::ClientOptions options;
    options.baseUrl = "https://127.0.0.1:6443";
    return options;
  }
  base::Task<void> stop() override { return loopback_.close(); }
  std::string name() const override { return "loopback"; }

 private:
  net::Loopback loopback_;
};

}  // namespace

const Identities& Identities::get() {
  static const Identities identities = [] {
    const auto now = base::SystemClock().wall();
    auto authority = net::CertificateAuthority::create("test CA", now);
    auto server =
        authority.issue(net::ServerCertificate{"server", {"localhost", "ingot.test"}, {"127.0.0.1", "::1"}}, now);
    auto client = authority.issue(net::ClientCertificate{"alice", {"admins", "staff"}}, now);
    return Identities{std::move(authority), std::move(server), std::move(client)};
  }();
  return identities;
}

std::unique_ptr<Pair> tlsPair(base::Runtime runtime, net::HttpHandler& handler, net::ServerOptions options) {
  return std::make_unique<SocketPair>(std::move(runtime), handler, std::move(options), true);
}
std::unique_ptr<Pair> plainPair(base::Runtime runtime, net::HttpHandler& handler, net::ServerOptions options) {
  return std::make_unique<SocketPair>(std::move(runtime), handler, std::move(options), false);
}
std::unique_ptr<Pair> loopbackPair(base::Runtime runtime, net::HttpHandler& handler) {
  return std::make_unique<MemoryPair>(std::move(runtime), handler);
}

}  // namespace ingot::tests
