#include "coordinator/leader_transport.hpp"

#include "base/run.hpp"
#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

TEST_CASE("whoever does not lead any more reads from Ironic and changes nothing there", "[coordinator][election]") {
  struct Row {
    const char* method;
    bool leading, sent;
  };
  const Row rows[] = {
      {"GET", true, true},   {"PUT", true, true},    {"PATCH", true, true},   {"GET", false, true},
      {"PUT", false, false}, {"POST", false, false}, {"PATCH", false, false}, {"DELETE", false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.method, row.leading);
    tests::Loop loop;
    const base::Runtime runtime{loop.io.get_executor(), loop.clock, *loop.random, base::Log::silent()};
    net::Loopback network{runtime};
    bool received = false;
    tests::Handler ironic([&](net::ServerRequest, net::Responder& out) {
      received = true;
      return out.send({.status = 200});
    });
    network.serve("https://ironic", ironic);
    bool leading = true, asked = false;
    coordinator::LeaderTransport transport(network, [&] { return leading; });
    const auto client = transport.connect({.baseUrl = "https://ironic"});
    leading = row.leading;
    std::optional<net::HttpError::Code> failure;
    try {
      static_cast<void>(base::run(
          loop.io, loop.clock,
          client->send({.method = row.method, .target = "/v1/nodes/n/states/power", .beforeSending = [&asked] {
                          asked = true;
                        }})));
    } catch (const net::HttpError& e) {
      failure = e.code();
    }
    CHECK(received == row.sent);
    CHECK(asked == row.sent);
    CHECK((failure == net::HttpError::Code::unreachable) == !row.sent);
  }
}
