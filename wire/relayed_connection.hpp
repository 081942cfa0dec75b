// One connection of a peer and its continuation to ROUTER. Bytes go both ways as they are; each direction waits for its
// receiver with one piece in hand, and the end of one side is told to the other.
#pragma once

#include "base/runtime.hpp"
#include "wire/unread_bytes.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <memory>
#include <string>

namespace ingot::wire {

struct UnreadLimits {
  std::size_t ofStranger = 64 << 10;  // bytes
  std::size_t ofKnown = 10 << 20;
};

class RelayedConnection : public std::enable_shared_from_this<RelayedConnection> {
 public:
  enum class End { closed, late, tooMuch };

  struct Peer {
    std::string remote;   // address and port
    std::string network;  // that it is in: an IPv4 address, a /64 of IPv6
  };

  RelayedConnection(const base::Runtime& runtime, Peer peer, UnreadLimits limits);

  // Takes over two connected, non-blocking sockets. False: the kernel does not take them, and they are closed.
  [[nodiscard]] bool hold(int outer, int inner);
  // ROUTER has taken the connection and sent its first byte. False: it is closed, or was not taken until `deadline`.
  [[nodiscard]] base::Task<bool> isTaken(base::MonoTime deadline);
  // Relays, and calls `ended` once at the end, on the loop. Who has not proved a key by `deadline` is closed.
  void start(base::MonoTime deadline, std::function<void(End)> ended);

  void proved(std::string publicKey, bool isKnown);
  // A whole message of it has come whose frames took so many bytes on the wire.
  void delivered(std::size_t bytes, bool isKnown);
  void close(End why = End::closed);

  [[nodiscard]] const Peer& peer() const { return peer_; }
  [[nodiscard]] const std::string& publicKey() const { return publicKey_; }  // "": none is proved yet
  [[nodiscard]] bool isKnown() const { return isKnown_; }

 private:
  using Descriptor = boost::asio::posix::stream_descriptor;
  struct Way {
    Descriptor& from;
    Descriptor& to;
    std::string rest;  // of the piece in hand
    bool hasEnded = false;
  };
  enum class Moved { some, waitsForSender, waitsForReceiver, end, broken };

  [[nodiscard]] static base::Task<void> relay(std::shared_ptr<RelayedConnection> self, Way& way);
  [[nodiscard]] Moved move(Way& way);
  [[nodiscard]] static Moved sendRest(Way& way, const char* bytes, std::size_t size);
  void finish(Way& way);
  [[nodiscard]] bool isOpen() const { return outer_.is_open(); }
  void closeAt(base::MonoTime when, End why);

  base::Runtime runtime_;
  Peer peer_;
  UnreadLimits limits_;
  Descriptor outer_, inner_;
  Way up_{outer_, inner_, {}}, down_{inner_, outer_, {}};
  UnreadBytes unread_;
  std::string publicKey_;
  bool isKnown_ = false;
  std::unique_ptr<base::Alarm> alarm_;
  std::function<void(End)> ended_;
};

}  // namespace ingot::wire
