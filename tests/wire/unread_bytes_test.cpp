#include "wire/unread_bytes.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

TEST_CASE("what has come whole is not ahead any more, and the handshake is forgiven with the first message") {
  wire::UnreadBytes unread;
  unread.add(700 + wire::bytesOnTheWire(50000));
  unread.settle(wire::bytesOnTheWire(50000));
  CHECK(unread.ahead() == 0);
}

TEST_CASE("a message without an end stays ahead, however many came whole before it") {
  wire::UnreadBytes unread;
  constexpr int whole = 32;  // that libzmq holds at most
  for (int i = 0; i < whole; ++i) unread.add(wire::bytesOnTheWire(0));
  unread.add(1 << 20);
  for (int i = 0; i < whole; ++i) unread.settle(wire::bytesOnTheWire(0));
  CHECK(unread.ahead() >= (1 << 20) - whole * wire::UnreadBytes::forgiven);
}

TEST_CASE("an agent that has nothing to say but heartbeats is never ahead, for weeks") {
  wire::UnreadBytes unread;
  constexpr int zmtpHeartbeats = 10 * 42;  // PING and PONG of a quarter of a minute
  constexpr int quartersOfAMinute = 4 * 60 * 24 * 28;
  for (int i = 0; i < quartersOfAMinute; ++i) {
    unread.add(zmtpHeartbeats + wire::bytesOnTheWire(120));
    unread.settle(wire::bytesOnTheWire(120));
    if (unread.ahead() > 0) break;
  }
  CHECK(unread.ahead() == 0);
}
