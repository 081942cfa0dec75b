// A stream of events of a BMC, from its opening to its end.
#include "base/sync.hpp"
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
    fake.pushes = [this](net::Responder& out) { return push(out); };
  }
  ~PushingBmc() { run(tasks.close()); }

  base::Task<void> push(net::Responder& out) {
    ++streams;
    co_await out.begin(200, {{"Content-Type", "text/event-stream"}});
    while (!isOver) {
      if (!text.empty()) co_await out.write(std::exchange(text, {}));
      co_await more.wait();
    }
    co_await out.end();
  }
  void send(const std::string& bytes) {
    text += bytes;
    more.notifyAll();
    clock.settle();
  }
  void end() {
    isOver = true;
    more.notifyAll();
    clock.settle();
  }

  struct Followed {
    std::vector<EventNews> news;
    bool ended = false;
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

  int streams = 0;
  bool isOver = false;
  std::string text;
  base::Notifier more{runtime.executor};
  base::TaskGroup tasks{runtime.executor, runtime.log};

 private:
  static base::Task<void> following(bmc::Driver& driver, std::shared_ptr<Followed> it) {
    try {
      co_await driver.followEvents(bmc::Lane::background, [it](EventNews news) { it->news.push_back(news); });
      it->ended = true;
    } catch (const Error& error) {
      it->failure = error.code();
      it->why = error.what();
    }
  }
};

using News = std::vector<EventNews>;

}  // namespace

TEST_CASE("a follower is told that the stream stands, of each event, and of its end", "[events]") {
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

TEST_CASE("the hosts of a BMC share one stream, and end with it", "[events]") {
  PushingBmc bench;
  const auto other = bench.open();
  const auto first = bench.follow(*bench.driver);
  const auto second = bench.follow(*other);
  CHECK(bench.streams == 1);
  CHECK(second->news == News{EventNews::opened});
  bench.send(change);
  CHECK(first->news.size() == 2);
  CHECK(second->news.size() == 2);
  bench.end();
  CHECK(first->ended);
  CHECK(second->ended);
  bench.isOver = false;
  const auto again = bench.follow(*other);
  CHECK(bench.streams == 2);
  CHECK(again->news == News{EventNews::opened});
  bench.run(other->close());
}

TEST_CASE("a BMC without a stream of events says so", "[events]") {
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
  CHECK(bench.streams == 0);
}

TEST_CASE("telemetry is left out where the BMC can", "[events]") {
  PushingBmc bench;
  bench.fake.documents["/redfish/v1/EventService"] =
      R"({"ServerSentEventUri":"/redfish/v1/SSE","SSEFilterPropertiesSupported":{"EventFormatType":true}})";
  std::string asked;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/redfish/v1/SSE") asked = request.target;
    co_return;
  };
  const auto followed = bench.follow(*bench.driver);
  CHECK(followed->news.size() == 1);
  CHECK(asked == "/redfish/v1/SSE?$filter=EventFormatType%20eq%20Event");
}

TEST_CASE("a stream that is refused is told, and holds no password back", "[events]") {
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
}

TEST_CASE("a refused stream under Basic holds no password back", "[events]") {
  PushingBmc bench;
  bench.fake.hasSessions = false;
  bench.answer("/redfish/v1/SSE", {.status = 401});
  const auto followed = bench.follow(*bench.driver);
  CHECK(followed->failure.has_value());
  CHECK(bench.read().raw == "Off");
}

TEST_CASE("a stream whose head does not come keeps nobody waiting for long, and is no silent BMC", "[events]") {
  PushingBmc bench;
  static_cast<void>(bench.read());
  bench.fake.pushes = [&bench](net::Responder&) { return bench.clock.sleepFor(1h); };
  for (int i = 0; i < 5; ++i) {
    const auto followed = bench.follow(*bench.driver);
    const auto asked = bench.clock.now();
    CHECK(bench.read().raw == "Off");
    CHECK(bench.clock.now() - asked <= 10s);
    CHECK(followed->failure == Error::Code::timeout);
  }
}

TEST_CASE("a stream on which nothing comes is opened anew after ten minutes", "[events]") {
  PushingBmc bench;
  const auto followed = bench.follow(*bench.driver);
  bench.clock.advance(9min);
  bench.send(sign);
  bench.clock.advance(9min);
  CHECK_FALSE(followed->ended);
  bench.clock.advance(2min);
  CHECK(followed->ended);
}

TEST_CASE("a stream that the BMC cuts off has ended", "[events]") {
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
