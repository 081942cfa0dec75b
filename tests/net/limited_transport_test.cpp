// Requests leave no faster than they were allowed to.
#include "net/limited_transport.hpp"

#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

struct Limited {
  explicit Limited(std::optional<net::RequestRate> rate) : transport(loop.clock, network, rate) {
    network.serve("https://api.test", server);
    client = transport.connect({.baseUrl = "https://api.test"});
    other = transport.connect({.baseUrl = "https://api.test"});
  }
  ~Limited() { loop.run(network.close()); }

  base::Duration sending(net::HttpClient& from, int times) {
    const auto begun = loop.clock.now();
    for (int i = 0; i < times; ++i) CHECK(loop.run(from.send({.target = "/"})).status == 200);
    return loop.clock.now() - begun;
  }

  Loop loop;
  net::Loopback network{loop.runtime};
  Handler server{[](net::ServerRequest, net::Responder& out) { return out.send({.status = 200}); }};
  net::LimitedTransport transport;
  std::unique_ptr<net::HttpClient> client, other;
};

}  // namespace

TEST_CASE("a burst goes at once, what is beyond it one by one", "[net][rate]") {
  Limited l(net::RequestRate{.perSecond = 10, .burst = 5});
  CHECK(l.sending(*l.client, 5) == 0s);
  CHECK(l.sending(*l.client, 3) == 300ms);
  CHECK(l.sending(*l.other, 2) == 200ms);  // one rate for all clients
  l.loop.clock.advance(1h);
  CHECK(l.sending(*l.client, 5) == 0s);  // and no more after an hour of silence
  CHECK(l.sending(*l.client, 1) == 100ms);
}

TEST_CASE("an opened stream counts as one request", "[net][rate]") {
  Limited l(net::RequestRate{.perSecond = 1, .burst = 1});
  CHECK(l.sending(*l.client, 1) == 0s);
  const auto begun = l.loop.clock.now();
  CHECK(l.loop.run(l.client->open({.target = "/"}))->status() == 200);
  CHECK(l.loop.clock.now() - begun == 1s);
}

TEST_CASE("without a rate nothing waits", "[net][rate]") {
  Limited l(std::nullopt);
  CHECK(l.sending(*l.client, 500) == 0s);
}

}  // namespace ingot::tests
