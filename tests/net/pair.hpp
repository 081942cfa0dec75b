// A client and a server that reach each other: over real loopback TLS, or in memory.
#pragma once

#include "base/run.hpp"
#include "base/runtime.hpp"
#include "net/certificates.hpp"
#include "net/client.hpp"
#include "net/loopback.hpp"
#include "net/server.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>

namespace ingot::tests {

// A handler from a function.
class Handler final : public net::HttpHandler {
 public:
  using Function = std::function<base::Task<void>(net::ServerRequest, net::Responder&)>;
  explicit Handler(Function function) : function_(std::move(function)) {}
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    return function_(std::move(request), out);
  }

 private:
  Function function_;
};

// The real clock and loop: sockets do not know virtual time.
struct RealLoop {
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::seededRandom(1);
  std::shared_ptr<base::MemorySink> log = std::make_shared<base::MemorySink>();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log(log, "test")};

  template <class T>
  T run(base::Task<T> task) {
    return base::run(io, base::withTimeout(clock, std::chrono::minutes(5), "the test hangs", std::move(task)));
  }
};

// One authority and what it issued, made once for all tests.
struct Identities {
  net::CertificateAuthority authority;
  net::KeyPair server, client;
  static const Identities& get();
};

class Pair {
 public:
  virtual ~Pair() = default;
  virtual net::HttpTransport& transport() = 0;
  virtual net::ClientOptions options() = 0;  // for a client that trusts the server and is known to it
  virtual base::Task<void> stop() = 0;
  virtual std::string name() const = 0;

  std::unique_ptr<net::HttpClient> client() { return transport().connect(options()); }
};

std::unique_ptr<Pair> tlsPair(base::Runtime runtime, net::HttpHandler& handler, net::ServerOptions options = {});
std::unique_ptr<Pair> plainPair(base::Runtime runtime, net::HttpHandler& handler, net::ServerOptions options = {});
std::unique_ptr<Pair> loopbackPair(base::Runtime runtime, net::HttpHandler& handler);

}  // namespace ingot::tests
