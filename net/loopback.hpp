// The in-memory twin of both transports: requests reach a handler without a socket, in the same process.
#pragma once

#include "net/client.hpp"
#include "net/server.hpp"

#include <functional>
#include <map>

namespace ingot::net {

// Maps origins ("https://127.0.0.1:6443") to handlers. An origin without one answers HttpError{unreachable}.
// Streaming works; deadlines run on the runtime's clock; a dropped HttpStream cancels its handler.
class Loopback final : public HttpTransport {
 public:
  explicit Loopback(base::Runtime runtime);
  ~Loopback() override;

  void serve(std::string origin, HttpHandler& handler, PeerIdentity peer = {});
  void remove(const std::string& origin);  // running requests to it end with HttpError{reset}, handlers are cancelled

  // Removes every origin and waits until no handler runs any more: before the handlers are destroyed.
  [[nodiscard]] base::Task<void> close();

  // Called before each request; may throw HttpError to make that one call fail. Test seam for faults.
  std::function<void(const ClientOptions&, const HttpRequest&)> beforeRequest;

  [[nodiscard]] std::unique_ptr<HttpClient> connect(ClientOptions options) override;

 private:
  friend class LoopbackClient;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ingot::net
