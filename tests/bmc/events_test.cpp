// A stream of events of a BMC, from its opening to its end.
#include "tests/bmc/fake_event_stream.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::EventNews;

namespace {

const std::string change = "data: {\"Events\":[{\"MessageId\":\"A.1.0.B\"}]}\n\n";
const std::string report = "data: {\"@odata.type\":\"#MetricReport.v1_4_0.MetricReport\"}\n\n";
const std::string sign = "data: {\"Events\":[{\"MessageId\":\"HeartbeatEvent.1.0.X\"}]}\n\n";

struct PushingBmc : RedfishBench {
  PushingBmc() {
    fake.pushes = [this](net::Responder& out) { return stream.push(out); };
  }
  ~PushingBmc() {
    run(tasks.close());
    clock.settle();  // the streams end before what they wait for
  }

  void send(const std::string& bytes) {
    stream.send(bytes);
    clock.advance(200ms);
  }
  void end() {
    stream.end();
    clock.advance(200ms);
  }

  struct Followed {
    std::vector<EventNews> news;
    bool ended = false;
    base::Duration stood{};
    std::optional<Error::Code> failure;
    std::string why;
  };
  std::shared_ptr<Followed> follow(bmc::Driver& driver) {
    auto it = std::make_shared<Followed>();
    tasks.spawn("follow", following(driver, it));
    clock.settle();
    clock.advance(1s);
    return it;
  }

  FakeEventStream stream{runtime.executor};
  base::TaskGroup tasks{runtime.executor, runtime.log};

 private:
  static base::Task<void> following(bmc::Driver& driver, std::shared_ptr<Followed> it) {
    try {
      it->stood = co_await driver.events->followEvents(bmc::Lane::background,
                                                       [it](EventNews news) { it->news.push_back(news); });
      it->ended = true;
    } catch (const Error& error) {
      it->failure = error.code();
      it->why = error.what();
    }
  }
};

using News = std::vector<EventNews>;

}  // namespace

TEST_CASE("a follower is told that the stream stands, of each event, and of its end", "[events][stream]") {
  PushingBmc bench;
  const auto followed = bench.follow(*bench.driver);
  CHECK(followed->news == News{EventNews::opened});
  bench.send(change);
  CHECK(followed->news == News{EventNews::opened, EventNews::happened});
  bench.send(report + sign + ": comment\n\n");
  CHECK(followed->news.size() == 2);
  bench.send(change + change + report);  // told once: what it concerns is read once
  CHECK(followed->news.size() == 3);
  CHECK_FALSE(followed->ended);
  bench.end();
  CHECK(followed->ended);
}

TEST_CASE("other requests pass while a stream is open", "[events]") {
  PushingBmc bench;
  const auto followed = bench.follow(*bench.driver);
  CHECK(bench.read().raw == "Off");
  bench.change(bmc::PowerAction::on);
  CHECK(bench.fake.powerState == "On");
  CHECK_FALSE(followed->ended);
}

TEST_CASE("the hosts of a BMC share one stream, and end with it", "[events][stream]") {
  PushingBmc bench;
  const auto other = bench.open();
  const auto first = bench.follow(*bench.driver);
  const auto second = bench.follow(*other);
  CHECK(bench.stream.opened == 1);
  CHECK(second->news == News{EventNews::opened});
  bench.send(change);
  CHECK(first->news.size() == 2);
  CHECK(second->news.size() == 2);
  bench.end();
  CHECK(first->ended);
  CHECK(second->ended);
  bench.stream.lasts = true;
  const auto again = bench.follow(*other);
  CHECK(bench.stream.opened == 2);
  CHECK(again->news == News{EventNews::opened});
  bench.run(other->close());
}

TEST_CASE("a host that follows and goes is told nothing more, and the others follow on", "[events][stream]") {
  struct Follow {
    base::AbortSource stop;
    std::shared_ptr<int> heard = std::make_shared<int>(0);
    bool isOver = false;
  } reader, waiter;
  PushingBmc bench;
  const auto other = bench.open();
  const auto run = [](bmc::Driver& driver, Follow& follow) {
    return [](bmc::Driver& driver, Follow& follow) -> base::Task<void> {
      try {
        co_await follow.stop.run([](bmc::Driver& driver, int* heard) -> base::Task<void> {
          co_await driver.events->followEvents(bmc::Lane::background, [heard](EventNews) { ++*heard; });
        }(driver, follow.heard.get()));
      } catch (const base::Cancelled&) {
      }
      follow.isOver = true;
    }(driver, follow);
  };
  bench.tasks.spawn("reader", run(*bench.driver, reader));
  bench.clock.advance(1s);
  bench.tasks.spawn("waiter", run(*other, waiter));
  bench.clock.advance(1s);
  REQUIRE(*reader.heard + *waiter.heard == 2);
  SECTION("the one who waits") {
    waiter.stop.abort();
    bench.clock.advance(1s);
    waiter.heard.reset();  // whoever calls it now is found by the sanitizer
    bench.send(change);
    CHECK(*reader.heard == 2);
    CHECK(waiter.isOver);
    CHECK(bench.stream.opened == 1);
  }
  SECTION("the one who reads") {
    reader.stop.abort();
    bench.clock.advance(1s);
    reader.heard.reset();
    CHECK(reader.isOver);
    CHECK_FALSE(waiter.isOver);
    CHECK(bench.stream.opened == 2);
    CHECK(*waiter.heard == 2);  // a stream that is opened anew has missed what was before
    bench.send(change);
    CHECK(*waiter.heard == 3);
  }
  bench.run(other->close());
}

TEST_CASE("hosts that wait for a stream are told why it was not opened", "[events][stream]") {
  PushingBmc bench;
  const auto other = bench.open();
  bench.fake.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/redfish/v1/SSE") co_await bench.clock.sleepFor(3s);
  };
  const int status = GENERATE(404, 503);
  bench.answer("/redfish/v1/SSE", {.status = status});
  const auto first = bench.follow(*bench.driver);
  const auto second = bench.follow(*other);
  bench.clock.advance(5s);
  const auto code = status == 404 ? Error::Code::unsupported : Error::Code::busy;
  CHECK(first->failure == code);
  CHECK(second->failure == code);
  bench.run(other->close());
}

TEST_CASE("a refusal that is told drop by drop keeps nobody from the BMC", "[events][stream]") {
  PushingBmc bench;
  static_cast<void>(bench.read());
  bench.fake.pushes = [&bench](net::Responder& out) -> base::Task<void> {
    co_await out.begin(503, {});
    while (true) {
      co_await out.write("x");
      co_await bench.clock.sleepFor(4s);
    }
  };
  const auto followed = bench.follow(*bench.driver);
  const auto asked = bench.clock.now();
  CHECK(bench.read().raw == "Off");
  bench.request(bmc::PowerAction::hardOff);
  CHECK(bench.clock.now() - asked < 1s);
  bench.clock.advance(1min);
  CHECK(followed->failure == Error::Code::busy);
}

TEST_CASE("what is no stream of events is none, whatever its status", "[events][stream]") {
  PushingBmc bench;
  bench.answer("/redfish/v1/SSE", {.status = 200, .headers = {{"Content-Type", "text/html"}}, .body = "<html>"});
  CHECK(bench.follow(*bench.driver)->failure == Error::Code::unsupported);
}

TEST_CASE("a BMC without a stream of events says so", "[events][stream]") {
  PushingBmc bench;
  SECTION("no EventService") { bench.fake.pushes = {}; }
  SECTION("switched off") {
    bench.fake.documents["/redfish/v1/EventService"] =
        R"({"ServiceEnabled":false,"ServerSentEventUri":"/redfish/v1/SSE"})";
  }
  SECTION("subscriptions only") { bench.fake.documents["/redfish/v1/EventService"] = R"({"ServiceEnabled":true})"; }
  SECTION("not there") {
    bench.fake.documents["/redfish/v1/EventService"] = R"({"ServerSentEventUri":"/redfish/v1/nowhere"})";
  }
  const auto followed = bench.follow(*bench.driver);
  CHECK(followed->failure == Error::Code::unsupported);
  CHECK(bench.stream.opened == 0);
}

TEST_CASE("a stream that is refused is told, and holds no password back", "[events][stream]") {
  struct Row {
    int status;
    std::string body;
    Error::Code code;
  };
  const auto row = GENERATE(values<Row>({
      {503, R"({"error":{"code":"Base.1.8.EventSubscriptionLimitExceeded","message":"no room"}})", Error::Code::busy},
      {401, R"({"error":{"message":"not for you"}})", Error::Code::refused},
      {403, R"({"error":{"code":"X.OemLicenseNotPassed","message":"buy a licence"}})", Error::Code::refused},
      {404, "", Error::Code::unsupported},
  }));
  CAPTURE(row.status);
  PushingBmc bench;
  bench.answer("/redfish/v1/SSE", {.status = row.status, .body = row.body});
  const auto followed = bench.follow(*bench.driver);
  CHECK(followed->failure == row.code);
  if (row.status == 403) CHECK(followed->why.find("buy a licence") != std::string::npos);
  const int logins = bench.fake.logins;
  CHECK(bench.read().raw == "Off");
  CHECK(bench.fake.logins == logins);
  bench.fake.expireSessions();  // the password is shown again
  CHECK(bench.read().raw == "Off");
}

TEST_CASE("a refused stream under Basic holds no password back", "[events]") {
  PushingBmc bench;
  bench.fake.hasSessions = false;
  bench.answer("/redfish/v1/SSE", {.status = 401});
  const auto followed = bench.follow(*bench.driver);
  CHECK(followed->failure.has_value());
  CHECK(bench.read().raw == "Off");
}

TEST_CASE("a stream whose head does not come keeps nobody waiting for long, and is no silent BMC", "[events][stream]") {
  PushingBmc bench;
  static_cast<void>(bench.read());
  bench.fake.pushes = [&bench](net::Responder&) { return bench.clock.sleepFor(1h); };
  const auto followed = bench.follow(*bench.driver);
  const auto asked = bench.clock.now();
  bench.request(bmc::PowerAction::hardOff);  // in the lane of an operator
  CHECK(bench.clock.now() - asked <= 10s);
  CHECK(followed->failure == Error::Code::timeout);

  // Two silences more would open the circuit.
  int silent = 2;
  bench.fake.instead = [&silent](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/Systems/1" || silent-- <= 0) return std::nullopt;
    return net::HttpResponse{.status = 0};
  };
  for (int i = 0; i < 2; ++i) CHECK(bench.readFailure() == Error::Code::timeout);
  bench.fake.documents["/redfish/v1/EventService"] = R"({"ServerSentEventUri":"/redfish/v1/SSE"})";
  CHECK(bench.follow(*bench.driver)->failure == std::nullopt);
  bench.clock.advance(15s);
  CHECK(bench.read().raw == "Off");
}

TEST_CASE("a stream on which nothing comes is opened anew after some ten minutes", "[events][stream]") {
  PushingBmc bench;
  const auto followed = bench.follow(*bench.driver);
  bench.clock.advance(7min);
  bench.send(sign);
  bench.clock.advance(7min);
  CHECK_FALSE(followed->ended);
  bench.clock.advance(5min);
  CHECK(followed->ended);
  CHECK(followed->stood >= 15min);
  CHECK(followed->stood <= 20min);
}

TEST_CASE("a flood of events is looked at ten times a second, and tells what one event tells", "[events][stream]") {
  PushingBmc bench;
  const auto followed = bench.follow(*bench.driver);
  const auto before = followed->news.size();
  for (int i = 0; i < 1000; ++i) {
    bench.stream.send(change);
    bench.clock.advance(1ms);
  }
  CHECK(followed->news.size() - before >= 9);
  CHECK(followed->news.size() - before <= 12);
  std::string signs;
  for (int i = 0; i < 100; ++i) signs += sign;
  const auto calm = followed->news.size();
  bench.send(signs);  // so many are not looked at one by one
  CHECK(followed->news.size() == calm + 1);
}

TEST_CASE("a stream that the BMC cuts off has ended", "[events][stream]") {
  PushingBmc bench;
  bench.fake.pushes = [](net::Responder& out) -> base::Task<void> {
    co_await out.begin(200, {{"Content-Type", "text/event-stream"}});
    co_await out.write("data: {\"Ev");
    out.abort();
  };
  const auto followed = bench.follow(*bench.driver);
  CHECK(followed->ended);
  CHECK(followed->news == News{EventNews::opened});
}
