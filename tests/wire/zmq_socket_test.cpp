#include "wire/zmq_socket.hpp"

#include "base/run.hpp"
#include "wire/codec.hpp"
#include "wire/unread_bytes.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

TEST_CASE("a message of too many frames or bytes is given up, is told of, and the next one is read") {
  boost::asio::io_context io;
  base::SystemClock clock;
  const auto random = base::systemRandom();
  const base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  const auto context = wire::ZmqSocket::newContext();
  wire::ZmqSocket router(runtime, context, wire::ZmqSocket::Type::router, 100, 100);
  wire::ZmqSocket dealer(runtime, context, wire::ZmqSocket::Type::dealer, 100, 100);
  std::vector<std::size_t> told;
  router.onTaken([&](const wire::TakenMessage& message) {
    CHECK(message.address == "127.0.0.1");
    told.push_back(message.bytesOnTheWire);
  });
  router.bind("tcp://127.0.0.1:*");
  dealer.connect(router.lastEndpoint());
  const auto say = [&](const std::vector<std::string>& frames) {
    for (const auto end = clock.now() + 60s; !dealer.send(frames) && clock.now() < end;)
      base::run(io, clock.sleepFor(5ms));
  };
  say(std::vector<std::string>(20, "x"));
  say(std::vector<std::string>(3, std::string(wire::longestMessage, 'x')));
  say({"news"});
  const auto message = base::run(io, base::withTimeout(clock, 60s, "the message", router.receive()));
  REQUIRE(message.frames.size() == 2);
  CHECK(message.frames[1] == "news");
  const std::size_t sender = wire::bytesOnTheWire(5);  // the router's own frame
  CHECK(told == std::vector{sender + 20 * wire::bytesOnTheWire(1),
                            sender + 3 * wire::bytesOnTheWire(wire::longestMessage), sender + wire::bytesOnTheWire(4)});
}
