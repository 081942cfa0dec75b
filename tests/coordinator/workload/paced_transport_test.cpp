// A server is read no faster than its share.
#include "coordinator/workload/paced_transport.hpp"
#include "net/loopback.hpp"
#include "net/server.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using coordinator::workload::PacedTransport;

// Sends so many bytes, in pieces of a hundred when it is asked for a stream.
struct Talker final : net::HttpHandler {
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (request.path() == "/thousand") co_return co_await out.send({200, {}, std::string(1000, 'x')});
    if (request.path() == "/nothing") co_return co_await out.send({200, {}, ""});
    co_await out.begin(200, {});
    for (int i = 0; i < 100; ++i) co_await out.write(std::string(100, 'x'));
    co_await out.end();
  }
};

struct Paced {
  Loop loop;
  base::Runtime runtime = loop.runtime;
  Talker talker;
  net::Loopback network{runtime};
  PacedTransport transport{loop.clock, network, {.atOnce = 3000, .perSecond = 1000, .eachRequest = 100}};
  std::unique_ptr<net::HttpClient> client, other;

  Paced() {
    network.serve("https://w1.test", talker);
    client = transport.connect({.baseUrl = "https://w1.test"});
    other = transport.connect({.baseUrl = "https://w1.test"});
  }
  ~Paced() { loop.run(network.close()); }

  base::Duration getting(net::HttpClient& from, const std::string& target, int times) {
    const auto begun = loop.clock.now();
    for (int i = 0; i < times; ++i) CHECK(loop.run(from.send({.target = target})).status == 200);
    return loop.clock.now() - begun;
  }
};

}  // namespace

TEST_CASE("who is within the allowance does not wait, and who is past it waits for what is owed") {
  Paced p;
  CHECK(p.getting(*p.client, "/thousand", 3) == 0s);
  CHECK(p.getting(*p.client, "/thousand", 1) == 300ms);
  CHECK(p.getting(*p.other, "/thousand", 5) == 5500ms);  // one allowance for all clients
  p.loop.clock.advance(1h);
  CHECK(p.getting(*p.client, "/thousand", 3) == 0s);  // and no more after an hour of silence
  CHECK(p.getting(*p.client, "/thousand", 1) == 300ms);
}

TEST_CASE("requests without an answer to speak of are paced too") {
  Paced p;
  CHECK(p.getting(*p.client, "/nothing", 1031) >= 100s);
}

TEST_CASE("what a stream has brought of a line that has not ended is told") {
  Loop loop;
  struct Stutterer final : net::HttpHandler {
    explicit Stutterer(base::Clock& time) : clock(time) {}
    base::Task<void> handle(net::ServerRequest, net::Responder& out) override {
      co_await out.begin(200, {});
      for (const char* piece : {"abc", "def", "g\nhi\njk", "l\n", "mn"}) {
        co_await out.write(piece);
        co_await clock.sleepFor(1ms);
      }
      co_await out.end();
    }
    base::Clock& clock;
  } stutterer(loop.clock);
  net::Loopback network{loop.runtime};
  network.serve("https://w1.test", stutterer);
  std::vector<std::size_t> told;
  std::size_t sum = 0;
  PacedTransport transport(loop.clock, network, {}, nullptr, [&](std::size_t before, std::size_t bytes) {
    sum += bytes - before;
    told.push_back(sum);
  });
  const auto client = transport.connect({.baseUrl = "https://w1.test"});
  const auto read = [](net::HttpClient& from) -> base::Task<void> {
    const auto stream = co_await from.open({.target = "/"});
    while (co_await stream->next(1s)) continue;
  };
  loop.run(read(*client));
  CHECK(told == std::vector<std::size_t>{3, 6, 2, 0, 2, 0});
  loop.run(network.close());
}

TEST_CASE("a stream is read as slowly") {
  Paced p;
  const auto begun = p.loop.clock.now();
  const auto read = [](net::HttpClient& client) -> base::Task<std::size_t> {
    const auto stream = co_await client.open({.target = "/stream"});
    std::size_t sum = 0;
    while (const auto piece = co_await stream->next(1s)) sum += piece->size();
    co_return sum;
  };
  CHECK(p.loop.run(read(*p.client)) == 10'000);
  CHECK(p.loop.clock.now() - begun >= 7s);
  CHECK(p.loop.clock.now() - begun < 8s);
}

}  // namespace ingot::tests
