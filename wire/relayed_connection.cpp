#include "wire/relayed_connection.hpp"

#include "base/parking.hpp"
#include "base/yield.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace asio = boost::asio;

namespace ingot::wire {

namespace {

constexpr std::size_t pieceSize = 32 << 10;  // bytes
constexpr int piecesATurn = 4;
constexpr base::Duration afterHalfClose = std::chrono::seconds(2);

bool wouldWait(ssize_t result) { return result < 0 && (errno == EAGAIN || errno == EINTR); }

base::Task<void> ready(asio::posix::stream_descriptor& descriptor, asio::posix::stream_descriptor::wait_type what) {
  boost::system::error_code ignored;  // the descriptor is closed then, and who asks sees it
  co_await descriptor.async_wait(what, asio::redirect_error(asio::use_awaitable, ignored));
}

}  // namespace

RelayedConnection::RelayedConnection(const base::Runtime& runtime, Peer peer, UnreadLimits limits)
    : runtime_(runtime),
      peer_(std::move(peer)),
      limits_(limits),
      outer_(runtime_.executor),
      inner_(runtime_.executor) {}

bool RelayedConnection::hold(int outer, int inner) {
  boost::system::error_code error;
  outer_.assign(outer, error);
  if (error) ::close(outer);
  if (!error) inner_.assign(inner, error);
  if (error) ::close(inner);
  if (error) close();
  return !error;
}

base::Task<bool> RelayedConnection::isTaken(base::MonoTime deadline) {
  closeAt(deadline, End::late);
  co_await ready(inner_, Descriptor::wait_read);
  alarm_.reset();
  co_return isOpen();
}

void RelayedConnection::start(base::MonoTime deadline, std::function<void(End)> ended) {
  ended_ = std::move(ended);
  closeAt(deadline, End::late);
  for (auto* way : {&up_, &down_})
    asio::co_spawn(runtime_.executor, base::underOurRules(relay(shared_from_this(), *way)), asio::detached);
}

void RelayedConnection::proved(std::string publicKey, bool isKnown) {
  publicKey_ = std::move(publicKey);
  isKnown_ = isKnown;
  if (!up_.hasEnded && !down_.hasEnded) alarm_.reset();
}

void RelayedConnection::delivered(std::size_t bytes, bool isKnown) {
  unread_.settle(bytes);
  isKnown_ = isKnown;
}

void RelayedConnection::close(End why) {
  boost::system::error_code ignored;
  alarm_.reset();
  outer_.close(ignored);
  inner_.close(ignored);
  if (const auto ended = std::exchange(ended_, nullptr)) ended(why);
}

void RelayedConnection::closeAt(base::MonoTime when, End why) {
  alarm_ = runtime_.clock.alarm(runtime_.executor, when, [weak = weak_from_this(), why] {
    if (const auto self = weak.lock()) self->close(why);
  });
}

base::Task<void> RelayedConnection::relay(std::shared_ptr<RelayedConnection> self, Way& way) {
  for (int turn = 1; self->isOpen(); ++turn) {
    switch (self->move(way)) {
      case Moved::some:
        if (turn % piecesATurn == 0) co_await base::yieldToLoop();  // others get their turn
        break;
      case Moved::waitsForSender: co_await ready(way.from, Descriptor::wait_read); break;
      case Moved::waitsForReceiver: co_await ready(way.to, Descriptor::wait_write); break;
      case Moved::end: self->finish(way); co_return;
      case Moved::broken: self->close(); co_return;
    }
  }
}

// One piece: nothing more is read before it has gone on.
RelayedConnection::Moved RelayedConnection::move(Way& way) {
  if (!way.rest.empty()) {
    const auto rest = std::exchange(way.rest, {});
    return sendRest(way, rest.data(), rest.size());
  }
  std::array<char, pieceSize> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): recv() fills what counts
  const auto got = ::recv(way.from.native_handle(), piece.data(), piece.size(), 0);
  if (wouldWait(got)) return Moved::waitsForSender;
  if (got <= 0) return got == 0 ? Moved::end : Moved::broken;
  const auto size = static_cast<std::size_t>(got);
  if (&way == &up_) {
    unread_.add(size);
    if (unread_.ahead() > (isKnown_ ? limits_.ofKnown : limits_.ofStranger)) return close(End::tooMuch), Moved::broken;
  }
  return sendRest(way, piece.data(), size);
}

RelayedConnection::Moved RelayedConnection::sendRest(Way& way, const char* bytes, std::size_t size) {
  const auto put = ::send(way.to.native_handle(), bytes, size, MSG_NOSIGNAL);
  if (put < 0 && !wouldWait(put)) return Moved::broken;
  const auto gone = static_cast<std::size_t>(std::max<ssize_t>(put, 0));
  if (gone == size) return Moved::some;
  way.rest.assign(bytes + gone, size - gone);
  return Moved::waitsForReceiver;
}

// The other direction may have something to say yet, such as why ROUTER refuses, but not for ever.
void RelayedConnection::finish(Way& way) {
  way.hasEnded = true;
  if (up_.hasEnded && down_.hasEnded) return close();
  ::shutdown(way.to.native_handle(), SHUT_WR);
  closeAt(runtime_.clock.now() + afterHalfClose, End::closed);
}

}  // namespace ingot::wire
