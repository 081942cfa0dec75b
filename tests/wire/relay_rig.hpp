// A relay, plain sockets at its two ends, and virtual time.
#pragma once

#include "base/manual_clock.hpp"
#include "base/run.hpp"
#include "wire/tcp_relay.hpp"

#include <catch2/catch.hpp>

#include <sys/socket.h>

namespace ingot::test {

// A connected socket that the test owns.
class Plug {
 public:
  Plug() = default;
  explicit Plug(int fd) : fd_(fd) {}
  Plug(Plug&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Plug& operator=(Plug&& other) noexcept;
  ~Plug() { close(); }

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::size_t send(std::string_view bytes) const;  // how many were taken at once
  [[nodiscard]] std::string read() const;                        // what is there
  [[nodiscard]] bool hasEnded() const;                           // nothing to read, and nothing will come
  void finish() const { ::shutdown(fd_, SHUT_WR); }
  void close();

 private:
  int fd_ = -1;
};

struct RelayRig {
  explicit RelayRig(wire::RelayLimits limits = {}, const std::string& endpoint = "tcp://127.0.0.1:*");
  ~RelayRig();
  RelayRig(const RelayRig&) = delete;
  RelayRig& operator=(const RelayRig&) = delete;

  // Runs the loop, and no virtual time, until it is so; a minute at most.
  void until(const std::function<bool()>& done);
  // A peer on this address of the loopback, whom the relay may have met or not.
  [[nodiscard]] Plug dial(const std::string& from = "127.0.0.1") const;

  struct Line {
    Plug peer, router;
    std::string inner;  // as ROUTER knows it
  };
  // A connection through the relay.
  [[nodiscard]] Line line(const std::string& from = "127.0.0.1");
  [[nodiscard]] Line knownLine(const std::string& key, const std::string& from = "127.0.0.1");
  // ROUTER takes what has come, if any has.
  bool acceptInto(Line& line) const;

  boost::asio::io_context io;
  base::ManualClock clock{io};
  std::unique_ptr<base::Random> random = base::systemRandom();
  std::shared_ptr<base::MemorySink> sink = std::make_shared<base::MemorySink>();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log(sink, "relay")};
  std::vector<wire::TurnedAway> turnedAway;  // connections, by why
  std::unique_ptr<wire::TcpRelay> relay;
  std::uint16_t port = 0;
  int router = -1;  // listens for the relay
};

}  // namespace ingot::test
