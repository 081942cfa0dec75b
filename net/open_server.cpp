#include "net/open_server.hpp"

#include "base/error.hpp"

namespace ingot::net {

std::unique_ptr<Server> listenForAll(const base::Runtime& runtime, const HostPort& at, HttpHandler& handler,
                                     std::optional<ServerTls> tls) {
  return listenAt(runtime, at,
                  {.tls = std::move(tls),
                   .maxConnections = 64,
                   .maxUnauthenticated = 63,
                   .maxUnauthenticatedPerNetwork = 32,
                   .bodyLimit = 4096,
                   .requestTimeout = std::chrono::seconds(10),
                   .handshakeTimeout = std::chrono::seconds(5)},
                  handler);
}

std::unique_ptr<Server> listenAt(const base::Runtime& runtime, const HostPort& at, ServerOptions how,
                                 HttpHandler& handler) {
  how.address = at.host.empty() ? "::" : at.host;
  how.port = at.port;
  try {
    return listen(runtime, how, handler);
  } catch (const base::Error&) {
    if (!at.host.empty()) throw;
    how.address = "0.0.0.0";  // of a machine without IPv6
    return listen(runtime, how, handler);
  }
}

}  // namespace ingot::net
