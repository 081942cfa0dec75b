// What the sender of one connection makes libzmq keep: bytes that went in and have not come out as a whole message.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ingot::wire {

// A frame of ZMTP under CURVE: MESSAGE, a nonce, the MAC and flags around it, and its length.
[[nodiscard]] constexpr std::size_t bytesOnTheWire(std::size_t frame) {
  const std::size_t body = frame + 33;
  return body + (body > 255 ? 9 : 2);
}

class UnreadBytes {
 public:
  void add(std::size_t bytes) { ahead_ += bytes; }
  // A message is whole whose frames took so many. What has no message (the handshake, ZMTP's heartbeats, some 30 bytes
  // a second) is forgiven with the next, up to a bound: a message comes of an agent every few seconds.
  void settle(std::size_t bytes) { ahead_ -= std::min(ahead_, bytes + forgiven); }
  [[nodiscard]] std::size_t ahead() const { return ahead_; }

  static constexpr std::size_t forgiven = 1024;

 private:
  std::size_t ahead_ = 0;
};

}  // namespace ingot::wire
