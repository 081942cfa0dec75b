// Outgoing HTTP. One HttpClient speaks to one origin with one TLS identity and keeps its connections.
#pragma once

#include "base/runtime.hpp"
#include "base/secret.hpp"
#include "net/http.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::net {

struct ClientTls {
  bool verify = true;
  std::string caFile;  // PEM; empty: the system's roots (unless caPem is set)
  std::string caPem;
  std::string certificatePem;  // client certificate, with privateKeyPem
  base::Secret privateKeyPem;
  std::string serverName;  // SNI and the name checked, when it differs from the URL's host
  // Public keys, one of which the server has to have; then neither its CA nor its names matter, nor `verify`. As curl
  // writes them: "sha256//BASE64", several with ';' between them.
  std::string pinnedKeys;
  // For servers that have nothing better: TLS from 1.0 on, weak ciphers, short keys, SHA-1, no secure renegotiation.
  bool legacyTls = false;
};

// Well-formed as ClientTls::pinnedKeys; "" is not.
[[nodiscard]] bool arePinnedKeys(std::string_view text);
// Of a certificate (the first of a PEM text), as ClientTls::pinnedKeys; "" when there is none.
[[nodiscard]] std::string pinnedKeyOf(std::string_view pem);

struct ClientOptions {
  std::string baseUrl;  // "https://10.0.0.1:8000"; request targets are appended to it
  ClientTls tls;
  std::string basicUser;  // with basicPassword; empty: no Authorization of ours
  base::Secret basicPassword;
  base::Secret bearerToken;
  base::Secret proxy;              // see net/proxy.hpp; may hold a password; empty: none, whatever the environment says
  std::size_t maxConnections = 4;  // further requests wait in order
  base::Duration connectTimeout = std::chrono::seconds(10);
  std::string userAgent = "ingot";
};

struct HttpRequest {
  std::string method = "GET";
  std::string target;  // path and query; or an absolute URL of the same origin
  Headers headers;
  std::string body;
  base::Duration deadline = std::chrono::seconds(30);  // whole exchange; for a stream: until the headers are there
  std::size_t bodyLimit = 8u << 20;                    // of the answer; HttpError{bodyTooLarge} past it
  // Called when the connection stands, right before the first byte leaves. What it throws ends the request unsent and
  // is thrown by send(). A request that is sent again on another connection calls it again.
  std::function<void()> beforeSending;
};

// An answer whose body is read as it comes. Dropping it closes the connection.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  [[nodiscard]] virtual int status() const = 0;
  [[nodiscard]] virtual const Headers& headers() const = 0;
  // The next piece (never empty); nullopt at a clean end; HttpError when the connection was lost.
  // `idle` bounds the wait for one piece: HttpError{timeout} past it.
  [[nodiscard]] virtual base::Task<std::optional<std::string>> next(base::Duration idle) = 0;
};

class HttpClient {
 public:
  virtual ~HttpClient() = default;
  // Redirects are not followed. Throws HttpError, base::Cancelled.
  [[nodiscard]] virtual base::Task<HttpResponse> send(HttpRequest request) = 0;
  [[nodiscard]] virtual base::Task<std::unique_ptr<HttpStream>> open(HttpRequest request) = 0;
};

// The seam: the real one rides on libcurl, the twin answers from memory (net/loopback.hpp).
class HttpTransport {
 public:
  virtual ~HttpTransport() = default;
  // Throws HttpError{badRequest} for an unusable base URL, HttpError{tls} for unusable key material.
  [[nodiscard]] virtual std::unique_ptr<HttpClient> connect(ClientOptions options) = 0;
};

// libcurl's multi-socket interface on the loop. Clients of one origin share kept connections where their trust and
// credentials are the same; TLS sessions stay with the client that has them.
[[nodiscard]] std::unique_ptr<HttpTransport> curlTransport(base::Runtime runtime);

}  // namespace ingot::net
