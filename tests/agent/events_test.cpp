// What the BMC of a host pushes, and what comes of it.
#include "tests/agent/fixture.hpp"
#include "tests/bmc/fake_event_stream.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string event = "data: {\"Events\":[{\"MessageId\":\"A.1.0.B\"}]}\n\n";

// A BMC that pushes, before an agent that polls it every five minutes and its log every ten.
struct Pushed : AgentBench {
  Pushed() {
    bmc.pushes = [this](net::Responder& out) { return stream.push(out); };
    bmc.showLog(0);
    bmc.before = [this](const net::ServerRequest& request) -> base::Task<void> {
      systems += request.path() == "/redfish/v1/Systems/1" ? 1 : 0;
      logs += request.path() == "/entries" ? 1 : 0;
      services += request.path() == "/redfish/v1/EventService" ? 1 : 0;
      if (request.path() == "/redfish/v1/Systems/1" && systemTakes > 0s) co_await clock.sleepFor(systemTakes);
      if (request.path() == "/entries" && logTakes > 0s) co_await clock.sleepFor(logTakes);
    };
  }
  ~Pushed() { stop(); }  // the streams end before what they wait for

  void serve() {
    greet();
    say(polled(1));
    clock.advance(90s);
  }
  wire::Grant polled(std::int64_t lease) {
    auto wanted = grant({5, lease, 0});
    wanted.powerPollMs = powerPollMs;
    wanted.healthPollMs = 3'600'000;
    wanted.logPollMs = 600'000;
    return wanted;
  }
  void send(const std::string& bytes = event) {
    stream.send(bytes);
    clock.advance(150ms);
  }
  [[nodiscard]] std::string told() const { return all<wire::Facts>().back().power; }

  std::int64_t powerPollMs = 300'000;
  base::Duration systemTakes{}, logTakes{};
  int systems = 0, logs = 0, services = 0;
  FakeEventStream stream{runtime.executor};
};

}  // namespace

TEST_CASE("an event has the host read at once, and what was read is told", "[events]") {
  Pushed bench;
  bench.serve();
  REQUIRE(bench.stream.opened == 1);
  REQUIRE(bench.told() == "Off");
  bench.bmc.powerState = "On";
  bench.clock.advance(10s);
  CHECK(bench.told() == "Off");  // whatever the event says, it is read
  bench.send(R"(data: {"Events":[{"MessageId":"A.1.0.PowerOff"}]})"
             "\n\n");
  CHECK(bench.told() == "On");
}

TEST_CASE("what happened before the stream stood is read when it stands", "[events]") {
  Pushed bench;
  bench.greet();
  bench.say(bench.polled(1));
  bench.clock.advance(10s);
  REQUIRE(bench.stream.opened == 0);
  REQUIRE(bench.told() == "Off");
  bench.bmc.powerState = "On";
  bench.clock.advance(1min);
  CHECK(bench.stream.opened == 1);
  CHECK(bench.told() == "On");
}

TEST_CASE("an event that comes while the host is read has it read once more", "[events]") {
  Pushed bench;
  bench.serve();
  bench.clock.advance(1min);
  SECTION("its power") {
    bench.systemTakes = 3s;
    bench.send();  // read from now on for three seconds
    bench.clock.advance(1s);
    const int before = bench.systems;
    bench.send();
    bench.clock.advance(9s);
    CHECK(bench.systems == before + 1);
  }
  SECTION("its log") {
    bench.logTakes = 3s;
    const int before = bench.logs;
    bench.send();
    bench.clock.advance(31s);
    REQUIRE(bench.logs == before + 1);  // being read
    bench.send();
    bench.clock.advance(35s);
    CHECK(bench.logs == before + 2);
  }
}

TEST_CASE("a host is polled beside a stream that says nothing", "[events]") {
  Pushed bench;
  bench.serve();
  bench.bmc.powerState = "On";
  bench.clock.advance(330s);
  CHECK(bench.stream.open == 1);
  CHECK(bench.told() == "On");
}

TEST_CASE("an event has the log read soon", "[events]") {
  Pushed bench;
  bench.serve();
  bench.clock.advance(1min);
  const int before = bench.logs;
  REQUIRE(before > 0);
  bench.send();
  bench.clock.advance(31s);
  CHECK(bench.logs == before + 1);
  bench.clock.advance(3min);
  CHECK(bench.logs == before + 1);
}

TEST_CASE("a storm of events has a host no more often read than polls have", "[events]") {
  Pushed bench;
  bench.powerPollMs = GENERATE(5'000, 30'000);
  bench.serve();
  bench.clock.advance(10min);
  const int systems = bench.systems, logs = bench.logs;
  for (int i = 0; i < 2000; ++i) bench.send(event + event);  // five minutes
  const int polls = static_cast<int>(300'000 / bench.powerPollMs);
  CHECK(bench.systems - systems >= polls);
  CHECK(bench.systems - systems <= 2 * polls + polls / 10 + 5);
  CHECK(bench.logs - logs <= 11);
}

TEST_CASE("the stream of a host that has another BMC, or is given up, is closed", "[events]") {
  Pushed bench;
  bench.serve();
  REQUIRE(bench.stream.open == 1);
  SECTION("another BMC") {
    bench.network.serve("https://other.example:443", bench.bmc);
    auto moved = bench.polled(2);
    moved.address = "redfish://other.example";
    bench.say(moved);
    bench.clock.advance(1s);
    CHECK(bench.stream.open == 0);
    bench.clock.advance(1min);
    CHECK(bench.stream.open == 1);
    CHECK(bench.stream.opened == 2);
  }
  SECTION("another lease of the same") {
    bench.say(bench.polled(2));
    bench.clock.advance(1min);
    CHECK(bench.stream.open == 1);
    CHECK(bench.stream.opened == 1);
  }
  SECTION("given up") {
    bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1, .forget = true});
    bench.clock.advance(1s);
    CHECK(bench.stream.open == 0);
    CHECK(bench.bmc.logouts.size() == 1);
  }
  SECTION("the agent stops") {
    bench.stop();
    CHECK(bench.stream.open == 0);
  }
}

TEST_CASE("a stream that ends is soon opened again, one that does not last seldom", "[events]") {
  Pushed bench;
  SECTION("after a while") {
    bench.serve();
    bench.clock.advance(2min);
    bench.stream.lasts = false;
    bench.send("");
    bench.stream.lasts = true;
    bench.clock.advance(12s);
    CHECK(bench.stream.opened == 2);
    CHECK(bench.stream.open == 1);
  }
  SECTION("at once") {
    bench.stream.lasts = false;
    bench.serve();
    bench.clock.advance(59min);
    CHECK(bench.stream.opened >= 5);
    CHECK(bench.stream.opened <= 7);
  }
}

TEST_CASE("how soon a stream is asked for again hangs on why it was not opened", "[events]") {
  struct Row {
    std::string state;
    int status;
    std::string service;
    int least, most;  // times in three hours
  };
  const std::string service = R"({"ServerSentEventUri":"/redfish/v1/SSE"})";
  const auto row = GENERATE_COPY(values<Row>({
      {"none", 200, R"({"ServiceEnabled":false})", 3, 4},
      {"none", 404, service, 3, 4},
      {"refused", 403, service, 3, 4},
      {"full", 503, service, 16, 20},
      {"failing", 0, service, 4, 6},  // one minute after the first silence
  }));
  CAPTURE(row.state, row.status);
  Pushed bench;
  bench.bmc.documents["/redfish/v1/EventService"] = row.service;
  bench.bmc.instead = [&row](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/SSE") return std::nullopt;
    return net::HttpResponse{.status = row.status};
  };
  bench.serve();
  bench.clock.advance(3h);
  CHECK(bench.services >= row.least);
  CHECK(bench.services <= row.most);
  CHECK(toText(bench.agent->standing().hosts.front().events) == row.state);
}

TEST_CASE("another BMC is asked for its stream at once, whatever the last one said", "[events]") {
  Pushed bench;
  bench.bmc.documents["/redfish/v1/EventService"] = R"({"ServiceEnabled":false})";
  bench.serve();
  REQUIRE(bench.services == 1);
  bench.bmc.documents.erase("/redfish/v1/EventService");
  bench.network.serve("https://other.example:443", bench.bmc);
  auto moved = bench.polled(2);
  moved.address = "redfish://other.example";
  bench.say(moved);
  bench.clock.advance(30s);
  CHECK(bench.stream.open == 1);
  CHECK(toText(bench.agent->standing().hosts.front().events) == "open");
}

TEST_CASE("an agent that is to follow no events opens no stream, and polls", "[events]") {
  Pushed bench;
  bench.stop();
  bench.followsEvents = false;
  bench.start();
  bench.serve();
  bench.bmc.powerState = "On";
  bench.clock.advance(1h);
  CHECK(bench.services == 0);
  CHECK(bench.stream.opened == 0);
  CHECK(bench.told() == "On");
  CHECK(toText(bench.agent->standing().hosts.front().events) == "off");
}

TEST_CASE("a BMC that is not read is not asked for a stream", "[events]") {
  Pushed bench;
  bench.bmc.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/redfish/v1/Systems/1") return net::HttpResponse{.status = 503};
    return std::nullopt;
  };
  bench.serve();
  bench.clock.advance(10min);
  CHECK(bench.services == 0);
}
