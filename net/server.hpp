// Serving HTTP and HTTPS/1.1 (Beast). Handlers know nothing of sockets.
#pragma once

#include "base/runtime.hpp"
#include "base/secret.hpp"
#include "net/http.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::net {

// Who the client proved to be by its certificate; empty commonName: nobody, as with a certificate that does not hold.
struct PeerIdentity {
  std::string commonName;
  std::vector<std::string> organizations;
  bool resumed = false;  // it came back with a TLS session of before: no new exchange of certificates
};

struct ServerRequest {
  std::string method;
  std::string target;  // as sent: path and query
  Headers headers;
  std::string body;
  PeerIdentity peer;
  std::string remoteAddress;  // "ip:port" of the client
  std::string localAddress;   // "ip:port" it connected to: which one, when the server listens on all

  [[nodiscard]] std::string_view path() const;   // target up to '?', still percent-encoded
  [[nodiscard]] std::string_view query() const;  // after '?', "" when none
};

// Either `send` once, or `begin`, any number of `write`s, `end`.
class Responder {
 public:
  virtual ~Responder() = default;
  [[nodiscard]] virtual base::Task<void> send(HttpResponse response) = 0;
  // Chunked, or of the length that a Content-Length among `headers` announces. Each write is flushed. Throws
  // HttpError{reset} once the client has gone.
  [[nodiscard]] virtual base::Task<void> begin(int status, Headers headers) = 0;
  [[nodiscard]] virtual base::Task<void> write(std::string chunk) = 0;
  [[nodiscard]] virtual base::Task<void> end() = 0;
  // Breaks the connection without an answer (fault injection).
  virtual void abort() = 0;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // Called when the head of a request has arrived and its body has not. False: handle() gets the head alone, and the
  // connection is closed after the answer, so that the body of an unauthenticated client takes no memory.
  [[nodiscard]] virtual bool wantsBody(const ServerRequest& /*head*/) const { return true; }
  // The request proves who its sender is: its connection counts as authenticated from now on (see ServerOptions).
  [[nodiscard]] virtual bool isAuthenticated(const ServerRequest& /*request*/) const { return true; }
  // Cancelled when the client goes away or the server stops. An exception before anything was sent becomes a bare 500.
  [[nodiscard]] virtual base::Task<void> handle(ServerRequest request, Responder& out) = 0;
};

enum class TlsVersion : std::uint8_t { tls12, tls13 };

struct ServerTls {
  std::string certificatePem;  // chain
  base::Secret privateKeyPem;
  // When set, the server asks for a client certificate and verifies it against this CA. A client without one, or with
  // an invalid one, is let in as nobody: the handler answers 401.
  std::string clientCaPem;
  TlsVersion lowest = TlsVersion::tls12, highest = TlsVersion::tls13;
  // What TLS 1.2 may use, by the names of IANA's registry (TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256); empty: OpenSSL's own
  // choice. Those of TLS 1.3 are not chosen.
  std::vector<std::string> cipherSuites;
  // How keys may be exchanged, by Go's names (X25519, CurveP256), the first one preferred; empty: OpenSSL's own choice.
  std::vector<std::string> keyExchanges;
};

// OpenSSL has that cipher suite of TLS 1.2 or 1.3, and takes it for secure.
[[nodiscard]] bool isCipherSuite(std::string_view name);

// `absent`: Go has it, and the OpenSSL that this runs with does not.
enum class KeyExchange : std::uint8_t { unknown, absent, usable };
[[nodiscard]] KeyExchange keyExchangeCalled(std::string_view goName);

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: a free one, see Server::port()
  std::optional<ServerTls> tls;
  std::size_t maxConnections = 1024;
  // How many of them may be unauthenticated (no valid certificate, no request that the handler calls authenticated): in
  // total, and from one network (an IPv4 address, a /64 of IPv6). Past that the oldest of them is closed for each new
  // one, so that the rest of maxConnections is reserved for authenticated clients. 0: no limit.
  std::size_t maxUnauthenticated = 0;
  std::size_t maxUnauthenticatedPerNetwork = 0;
  std::size_t bodyLimit = 3u << 20;     // more: 413 "Request entity too large: limit is N"
  std::size_t headerLimit = 64u << 10;  // of a head, 32 octets on top of each line (RFC 9113, section 6.5.2); more: 431
  base::Duration idleTimeout = std::chrono::seconds(120);    // between requests of a kept connection
  base::Duration requestTimeout = std::chrono::seconds(60);  // to receive one whole request, to have one write taken
  base::Duration handshakeTimeout = std::chrono::seconds(10);
};

class Server {
 public:
  virtual ~Server() = default;
  [[nodiscard]] virtual std::uint16_t port() const = 0;
  [[nodiscard]] virtual std::size_t connections() const = 0;
  // Another certificate, key and client CA for the connections to come; those of now go on. Throws base::Error for
  // unusable material, and keeps what it had.
  virtual void renew(const ServerTls& tls) = 0;
  // From now on each answer is the last one of its connection, and says so: clients connect anew, perhaps elsewhere,
  // and none is cut off by stop() while it sends.
  virtual void closeAfterAnswers() = 0;
  // To be awaited before the server is destroyed; also finishes when the caller is cancelled (then without grace).
  // Stops accepting, lets running requests finish for `grace`, then cancels them. All connections are closed after it.
  [[nodiscard]] virtual base::Task<void> stop(base::Duration grace) = 0;
};

// Listens at once; throws base::Error naming the address when that fails. `handler` outlives the server.
[[nodiscard]] std::unique_ptr<Server> listen(base::Runtime runtime, ServerOptions options, HttpHandler& handler);

}  // namespace ingot::net
