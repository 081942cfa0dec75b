// The real client and the real server in one loop, and a way to speak HTTP by hand.
#pragma once

#include "tests/net/pair.hpp"

namespace ingot::tests {

// Answers with the client's address: one address, one connection.
[[nodiscard]] base::Task<void> tellAddress(net::ServerRequest request, net::Responder& out);

// A non-blocking socket that is connected to a server of ours.
[[nodiscard]] int connectTo(std::uint16_t port);

struct World : RealLoop {
  Handler handler{tellAddress};
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
  std::unique_ptr<net::Server> server;
  const Identities& ids = Identities::get();

  void listen(net::ServerOptions options = {});       // with TLS
  void listenPlain(net::ServerOptions options = {});  // without

  ~World();

  [[nodiscard]] net::ClientOptions options(const std::string& host = "127.0.0.1") const;

  std::string get(net::HttpClient& client);
  std::string get(const net::ClientOptions& o);  // over a connection of its own

  // How a GET fails that must.
  net::HttpError failure(const net::ClientOptions& o);

  // Speaks HTTP by hand, for what the client would never send. Reads until the server closes.
  std::string speak(const std::string& text);
  base::Task<std::string> speakLater(std::string text);
};

}  // namespace ingot::tests
