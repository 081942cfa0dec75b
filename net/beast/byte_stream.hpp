// The bytes of one accepted connection, with or without TLS. Waiting is Asio's, the rest plain system calls and
// OpenSSL: no stream templates to compile, no copies between buffers.
#pragma once

#include "base/task.hpp"
#include "net/openssl.hpp"
#include "net/server.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <string>
#include <string_view>

namespace ingot::net {

class ByteStream {
 public:
  // Takes over a connected, non-blocking socket. `tls` null: plain.
  ByteStream(const base::Executor& executor, int fd, SSL_CTX* tls);  // closes `fd`, also where it throws base::Error
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // The rest throws base::Cancelled; failures of the peer are HttpError{reset} (or tls, for the handshake).
  [[nodiscard]] base::Task<void> handshake();
  // Appends what there is, at least a byte; false once the peer has closed or the connection is broken.
  [[nodiscard]] base::Task<bool> readSome(std::string& into);
  [[nodiscard]] base::Task<void> write(std::string bytes);

  void finishWriting();  // close_notify and FIN; best effort
  void close();          // ends reads and writes under way
  void breakOff();       // the same, and the peer sees a reset

  // After handshake().
  [[nodiscard]] PeerIdentity peer() const;

 private:
  enum class Need { nothing, read, write, failed };
  Need readOnce(std::string& into);
  Need writeOnce(std::string_view& rest);
  Need needOf(int result);
  [[nodiscard]] base::Task<void> waitFor(Need need);

  boost::asio::posix::stream_descriptor descriptor_;
  openssl::Connection ssl_;
};

// Certificate, key, client CA, versions and session rules. Throws base::Error for unusable material.
[[nodiscard]] openssl::Context serverContext(const ServerTls& tls);

}  // namespace ingot::net
