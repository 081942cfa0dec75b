// What the BMC of a host pushes, and what comes of it.
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string event = "data: {\"Events\":[{\"MessageId\":\"A.1.0.B\"}]}\n\n";

// A BMC that pushes, before an agent that polls it every five minutes and its log every ten.
struct Pushed : AgentBench {
  Pushed() {
    bmc.pushes = [this](net::Responder& out) { return push(out); };
    bmc.moreOfSystem = R"(,"LogServices":{"@odata.id":"/logs"})";
    bmc.documents["/logs"] = R"({"Members":[{"@odata.id":"/sel"}]})";
    bmc.documents["/sel"] = R"({"@odata.id":"/sel","LogEntryType":"SEL","Entries":{"@odata.id":"/entries"}})";
    bmc.documents["/entries"] = R"({"Members":[]})";
    bmc.before = [this](const net::ServerRequest& request) -> base::Task<void> {
      systems += request.path() == "/redfish/v1/Systems/1" ? 1 : 0;
      logs += request.path() == "/entries" ? 1 : 0;
      services += request.path() == "/redfish/v1/EventService" ? 1 : 0;
      co_return;
    };
  }
  ~Pushed() { stop(); }  // the streams end before what they wait for

  void serve() {
    greet();
    say(polled(1));
    clock.advance(1min);
  }
  wire::Grant polled(std::int64_t lease) {
    auto wanted = grant({5, lease, 0});
    wanted.powerPollMs = 300'000;
    wanted.healthPollMs = 3'600'000;
    wanted.logPollMs = 600'000;
    return wanted;
  }
  base::Task<void> push(net::Responder& out) {
    ++streams, ++open;
    const Leaving leaving(open);
    co_await out.begin(200, {{"Content-Type", "text/event-stream"}});
    while (lasts) {
      if (!text.empty()) co_await out.write(std::exchange(text, {}));
      co_await more.wait();
    }
    co_await out.end();
  }
  void send(const std::string& bytes = event) {
    text += bytes;
    more.notifyAll();
    clock.settle();
  }
  [[nodiscard]] std::string told() const { return all<wire::Facts>().back().power; }

  int systems = 0, logs = 0, services = 0, streams = 0, open = 0;
  bool lasts = true;
  std::string text;
  base::Notifier more{runtime.executor};

 private:
  class Leaving {
   public:
    explicit Leaving(int& open) : open_(open) {}
    ~Leaving() { --open_; }
    Leaving(const Leaving&) = delete;
    Leaving& operator=(const Leaving&) = delete;

   private:
    int& open_;
  };
};

}  // namespace

TEST_CASE("an event has the host read at once, and what was read is told", "[events]") {
  Pushed bench;
  bench.serve();
  REQUIRE(bench.streams == 1);
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
  REQUIRE(bench.streams == 0);
  REQUIRE(bench.told() == "Off");
  bench.bmc.powerState = "On";
  bench.clock.advance(20s);
  CHECK(bench.streams == 1);
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

TEST_CASE("a storm of events makes a host no more often read than polls would", "[events]") {
  Pushed bench;
  bench.serve();
  const int systems = bench.systems, logs = bench.logs;
  for (int i = 0; i < 600; ++i) {
    bench.send(event + event);
    bench.clock.advance(100ms);
  }
  CHECK(bench.systems - systems >= 12);
  CHECK(bench.systems - systems <= 18);
  CHECK(bench.logs - logs <= 3);
}

TEST_CASE("the stream of a host that has another BMC, or is given up, is closed", "[events]") {
  Pushed bench;
  bench.serve();
  REQUIRE(bench.open == 1);
  SECTION("another BMC") {
    bench.network.serve("https://other.example:443", bench.bmc);
    auto moved = bench.polled(2);
    moved.address = "redfish://other.example";
    bench.say(moved);
    bench.clock.advance(1s);
    CHECK(bench.open == 0);
    bench.clock.advance(1min);
    CHECK(bench.open == 1);
    CHECK(bench.streams == 2);
  }
  SECTION("given up") {
    bench.say(wire::Revoke{.host = "u1", .term = 5, .lease = 1, .forget = true});
    bench.clock.advance(1s);
    CHECK(bench.open == 0);
    CHECK(bench.bmc.logouts.size() == 1);
  }
  SECTION("the agent stops") {
    bench.stop();
    CHECK(bench.open == 0);
  }
}

TEST_CASE("a stream that ends is soon opened again, one that does not last seldom", "[events]") {
  Pushed bench;
  SECTION("after a while") {
    bench.serve();
    bench.clock.advance(2min);
    bench.lasts = false;
    bench.send("");
    bench.lasts = true;
    bench.clock.advance(12s);
    CHECK(bench.streams == 2);
    CHECK(bench.open == 1);
  }
  SECTION("at once") {
    bench.lasts = false;
    bench.serve();
    bench.clock.advance(59min);
    CHECK(bench.streams >= 5);
    CHECK(bench.streams <= 7);
  }
}

TEST_CASE("a BMC that has no stream is asked for one each hour", "[events]") {
  Pushed bench;
  bench.bmc.documents["/redfish/v1/EventService"] = R"({"ServiceEnabled":false})";
  bench.serve();
  bench.clock.advance(3h);
  CHECK(bench.services >= 3);
  CHECK(bench.services <= 5);
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
