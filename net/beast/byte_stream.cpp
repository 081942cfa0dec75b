#include "net/beast/byte_stream.hpp"

#include "base/parking.hpp"

#include <boost/asio/redirect_error.hpp>

#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace asio = boost::asio;

namespace ingot::net {
namespace {

constexpr std::size_t kPiece = 16u << 10;       // a TLS record
constexpr std::size_t kReadAtOnce = 64u << 10;  // then others get their turn

HttpError lost(const std::string& why) { return {HttpError::Code::reset, "the client has gone: " + why}; }

}  // namespace

ByteStream::ByteStream(const base::Executor& executor, int fd, SSL_CTX* tls) : descriptor_(executor) {
  boost::system::error_code refused;  // the kernel watches so many descriptors for one user
  descriptor_.assign(fd, refused);
  if (refused) {
    ::close(fd);
    throw base::Error("cannot watch a connection: " + refused.message());
  }
  if (!tls) return;
  ssl_.reset(SSL_new(tls));
  SSL_set_fd(ssl_.get(), fd);
  SSL_set_accept_state(ssl_.get());
}

ByteStream::~ByteStream() = default;

base::Task<void> ByteStream::waitFor(Need need) {
  base::throwIfCancelled(co_await asio::this_coro::cancellation_state);
  if (!descriptor_.is_open()) throw lost("connection closed");
  const auto what =
      need == Need::read ? asio::posix::stream_descriptor::wait_read : asio::posix::stream_descriptor::wait_write;
  boost::system::error_code error;
  co_await descriptor_.async_wait(what, asio::redirect_error(asio::use_awaitable, error));
  base::throwIfCancelled(co_await asio::this_coro::cancellation_state);
  if (error) throw lost("connection closed");
}

ByteStream::Need ByteStream::needOf(int result) {
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ: return Need::read;
    case SSL_ERROR_WANT_WRITE: return Need::write;
    default: return Need::failed;
  }
}

base::Task<void> ByteStream::handshake() {
  while (ssl_) {
    ERR_clear_error();
    const int result = SSL_accept(ssl_.get());
    if (result == 1) co_return;
    const auto need = needOf(result);
    if (need == Need::failed) throw HttpError(HttpError::Code::tls, "TLS handshake: " + openssl::takeError());
    co_await waitFor(need);
  }
}

ByteStream::Need ByteStream::readOnce(std::string& into) {
  if (!descriptor_.is_open()) return Need::failed;
  const auto before = into.size();
  Need need = Need::failed;
  ssize_t got = 0;
  into.resize_and_overwrite(before + kPiece, [&](char* text, std::size_t) {  // which does not clear the room first
    char* place = text + before;
    if (ssl_) {
      ERR_clear_error();
      got = SSL_read(ssl_.get(), place, kPiece);
      if (got <= 0) need = needOf(static_cast<int>(got));
    } else {
      got = ::recv(descriptor_.native_handle(), place, kPiece, 0);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) need = Need::read;
    }
    return before + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  });
  return got > 0 ? Need::nothing : need;
}

base::Task<bool> ByteStream::readSome(std::string& into) {
  while (true) {
    const auto before = into.size();  // anew each time: while this waited, the other side took bytes away
    auto need = readOnce(into);
    while (need == Need::nothing && into.size() - before < kReadAtOnce) need = readOnce(into);
    if (into.size() > before) co_return true;
    if (need == Need::failed) co_return false;
    if (into.empty()) std::string().swap(into);  // an idle connection keeps no buffer
    try {
      co_await waitFor(need);
    } catch (const HttpError&) {
      co_return false;
    }
  }
}

ByteStream::Need ByteStream::writeOnce(std::string_view& rest) {
  if (!descriptor_.is_open()) return Need::failed;
  ssize_t put = 0;
  if (ssl_) {
    ERR_clear_error();
    put = SSL_write(ssl_.get(), rest.data(), static_cast<int>(std::min(rest.size(), std::size_t{1} << 30)));
    if (put <= 0) return needOf(static_cast<int>(put));
  } else {
    put = ::send(descriptor_.native_handle(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (put < 0) return errno == EAGAIN || errno == EINTR ? Need::write : Need::failed;
  }
  rest.remove_prefix(static_cast<std::size_t>(put));
  return Need::nothing;
}

base::Task<void> ByteStream::write(std::string bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const auto need = writeOnce(rest);
    if (need == Need::failed) throw lost("it does not take the answer");
    if (need != Need::nothing) co_await waitFor(need);
  }
}

void ByteStream::finishWriting() {
  if (!descriptor_.is_open()) return;
  ERR_clear_error();
  if (ssl_) SSL_shutdown(ssl_.get());
  ERR_clear_error();
  ::shutdown(descriptor_.native_handle(), SHUT_WR);
}

void ByteStream::close() {
  boost::system::error_code ignored;
  descriptor_.close(ignored);
}

void ByteStream::breakOff() {
  if (!descriptor_.is_open()) return;
  const linger atOnce{1, 0};
  ::setsockopt(descriptor_.native_handle(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
  close();
}

PeerIdentity ByteStream::peer() const {
  const auto* certificate = ssl_ ? SSL_get0_peer_certificate(ssl_.get()) : nullptr;
  const bool holds = certificate && SSL_get_verify_result(ssl_.get()) == X509_V_OK;
  PeerIdentity identity = holds ? openssl::identityOf(certificate) : PeerIdentity{};
  identity.resumed = ssl_ && SSL_session_reused(ssl_.get()) == 1;
  return identity;
}

}  // namespace ingot::net
