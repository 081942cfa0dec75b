// One client's connection: requests in, answers out, until either side has enough.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "net/beast/byte_stream.hpp"
#include "net/beast/request_parser.hpp"
#include "net/server.hpp"

#include <memory>
#include <string>

namespace ingot::net {

// Two coroutines: one reads all the time (that is how a client's departure is noticed while a handler runs), the
// other parses, handles and answers. The second is what gets cancelled.
class Connection {
 public:
  struct Addresses {
    std::string remote, local;
    std::string network;  // of the remote one
  };

  Connection(base::Runtime runtime, const ServerOptions& options, HttpHandler& handler, int fd, SSL_CTX* tls,
             Addresses addresses);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Its whole life. Throws nothing but Cancelled.
  [[nodiscard]] base::Task<void> run();

  // The client has not authenticated, and the connection is not about to end. One that is still in its TLS handshake is
  // given a moment, unless connections are `scarce`: many legitimate clients may connect at once.
  [[nodiscard]] bool isEvictable(base::MonoTime now, bool scarce) const;
  [[nodiscard]] const std::string& network() const { return addresses_.network; }

  void abort() { abort_.abort(); }
  void closeAfterAnswer() { closesAfterAnswer_ = true; }  // the next one, or that of the running request
  void drain();                          // no further request: closes now when idle, else after the running one
  void abortIfLate(base::MonoTime now);  // called regularly by the server

 private:
  class Output;
  [[nodiscard]] base::Task<void> serve();
  [[nodiscard]] base::Task<void> read();
  [[nodiscard]] base::Task<std::optional<ServerRequest>> nextRequest(RequestParser& parser);
  [[nodiscard]] ServerRequest identified(ServerRequest request) const;
  [[nodiscard]] base::Task<void> answer(ServerRequest request, Output& out);
  [[nodiscard]] base::Task<void> refuse(const RequestParser& parser);
  void discardInput();
  [[nodiscard]] base::Task<void> linger();
  [[nodiscard]] base::Task<void> write(std::string bytes);
  void setDeadline(base::Duration limit);  // what is under way must be over by then

  base::Runtime runtime_;
  const ServerOptions& options_;
  HttpHandler& handler_;
  ByteStream stream_;
  Addresses addresses_;
  PeerIdentity peer_;
  base::TaskGroup reader_;
  base::AbortSource abort_;
  std::optional<base::MonoTime> deadline_;
  std::string input_;  // read, not parsed yet
  base::Notifier inputGrew_, inputShrank_;
  bool peerClosed_ = false, peerLost_ = false, discarding_ = false, handling_ = false, draining_ = false;
  bool closesAfterAnswer_ = false;
  bool authenticated_ = false, handshakeDone_ = false;
  base::MonoTime acceptedAt_;
};

}  // namespace ingot::net
