// What is done when the drives are erased, and who stands by it (spec/bmc.md §18; docs/decisions/0022, 0042).
#include "tests/bmc/erase_bench.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

base::Task<bool> always(bool answer) { co_return answer; }

std::vector<std::string> stepsOf(const bmc::ErasureRecord& record) {
  std::vector<std::string> all;
  for (const auto& step : record.steps) all.push_back(step.step + " " + step.outcome);
  return all;
}

}  // namespace

TEST_CASE("steps are taken when all drives are erased, each is saved, and none of them ends anything") {
  EraseBench bench;
  bench.order.steps = {bmc::CleaningStep::clearLogs, bmc::CleaningStep::resetBootOrder};
  bench.erase();
  CHECK(bench.states() == std::vector<std::string>{"A erased", "B erased"});
  CHECK(stepsOf(bench.record) == std::vector<std::string>{"clear-sel skipped", "reset-boot-order skipped"});
  CHECK(bench.saved.steps == bench.record.steps);
  CHECK(bench.record.endedAt);
}

TEST_CASE("no step is taken after a drive that was not erased") {
  EraseBench bench;
  bench.order.steps = {bmc::CleaningStep::clearLogs};
  bench.drives.drives[1].end = "Exception";
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.record.steps.empty());
}

TEST_CASE("the boot order stays as it is while a drive is kept") {
  EraseBench bench;
  bench.order.depths["B"] = bmc::EraseDepth::keep;
  bench.order.steps = {bmc::CleaningStep::resetBootOrder};
  bench.erase();
  REQUIRE(bench.record.steps.size() == 1);
  CHECK(bench.record.steps[0].outcome == "skipped");
  CHECK(bench.record.steps[0].detail == "a disk is kept, and some entries may be those of its system");
}

TEST_CASE("nothing that cannot be undone is begun, drive or step, when nobody stands by the order") {
  EraseBench bench;
  bench.order.steps = {bmc::CleaningStep::clearLogs};
  bench.confirm = [] { return always(false); };
  CHECK(bench.eraseFailure() == bmc::Error::Code::busy);
  CHECK(bench.drives.erasures() == 0);
  int asked = 0;
  bench.confirm = [&asked] { return always(++asked <= 2); };  // for the drives
  CHECK(bench.eraseFailure() == bmc::Error::Code::busy);
  CHECK(bench.drives.erasures() == 2);
  CHECK(bench.record.steps.empty());
  CHECK_FALSE(bench.record.endedAt);
}

TEST_CASE("a drive is judged by what it is after the order was confirmed") {
  EraseBench bench;
  bench.confirm = [&bench] {
    bench.drives.drives[0].serial = "ANOTHER";  // somebody has swapped it meanwhile
    return always(true);
  };
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.drives.drives[0].erasures.empty());
}

TEST_CASE("an order that is no more stood by when its record is on the disk at last has nothing erased") {
  EraseBench bench({"A"});
  const bool isStoodBy = GENERATE(true, false);
  bench.savingTakes = 60s;
  int asked = 0;
  bench.confirm = [&] { return always(++asked == 1 || isStoodBy); };
  if (isStoodBy)
    bench.erase();
  else
    CHECK(bench.eraseFailure() == bmc::Error::Code::busy);
  CHECK(asked == 2);
  CHECK(bench.drives.erasures() == (isStoodBy ? 1 : 0));
  CHECK(bench.states() == std::vector<std::string>{isStoodBy ? "A erased" : "A waiting"});
}

namespace {

// A BMC with a long list of sessions that it shows one each 25 s; `ours` of it is the last one's, and can be closed.
struct DribblingBench : EraseBench {
  DribblingBench() : EraseBench({"A"}) { order.steps = {bmc::CleaningStep::closeSessions}; }

  void list(int sessions, int ours) {
    std::string members;
    for (int i = 100; i < 100 + sessions; ++i) {
      const auto path = fmt::format("/redfish/v1/SessionService/Sessions/{}", i);
      members += fmt::format(R"({}{{"@odata.id":"{}"}})", i == 100 ? "" : ",", path);
      fake.documents[path] = i == 99 + ours ? R"({"UserName":"admin"})" : R"({"UserName":"else"})";
    }
    drives.instead = [members](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() != "/redfish/v1/SessionService/Sessions" || request.method != "GET") return std::nullopt;
      return net::HttpResponse{.status = 200, .body = fmt::format(R"({{"Members":[{}]}})", members)};
    };
    fake.before = [this](const net::ServerRequest& request) -> base::Task<void> {
      if (!request.path().starts_with("/redfish/v1/SessionService/Sessions/")) co_return;
      if (request.method == "GET") began = began.value_or(clock.now());
      co_await clock.sleepFor(request.method == "GET" ? 25s : 50s);
    };
  }
  // From the first session that was looked at.
  [[nodiscard]] base::Duration took() const { return clock.now() - *began; }

  std::optional<base::MonoTime> began;
};

}  // namespace

TEST_CASE("a step of a cleaning ends after ten minutes in all, however slowly a BMC answers") {
  DribblingBench bench;
  bench.list(200, 0);
  bench.erase();
  CHECK(stepsOf(bench.record) == std::vector<std::string>{"clear-sessions failed"});
  CHECK(bench.record.steps[0].detail == "clear-sessions was not done within 10 min");
  CHECK(bench.took() >= 10min);
  CHECK(bench.took() < 11min);
}

TEST_CASE("what a step has begun to change when its time is over is waited for: what became of it is known") {
  DribblingBench bench;
  const bool isAll = GENERATE(true, false);
  bench.list(isAll ? 23 : 200, 23);
  int underWay = 0, written = 0;
  bench.permit = {.beforeSending = [&] { ++underWay, ++written; }, .afterwards = [&] { --underWay; }};
  bench.erase();
  CHECK(stepsOf(bench.record) == std::vector<std::string>{isAll ? "clear-sessions done" : "clear-sessions failed"});
  CHECK(bench.fake.logouts == std::vector<std::string>{"/redfish/v1/SessionService/Sessions/122"});
  CHECK(underWay == 0);
  CHECK(written == 2);  // the drive's, and this
  CHECK(bench.took() < 11min);
}

TEST_CASE("a step is tried again only while it is ordered") {
  EraseBench bench({"A"});
  bench.order.steps = {bmc::CleaningStep::closeSessions};
  int asked = 0;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/SessionService/Sessions" || request.method != "GET") return std::nullopt;
    ++asked;
    return net::HttpResponse{.status = 503, .headers = {{"Retry-After", "60"}}, .body = "{}"};
  };
  SECTION("it stays so") {
    bench.erase();
    CHECK(stepsOf(bench.record) == std::vector<std::string>{"clear-sessions failed"});
    CHECK(asked == 4);
  }
  SECTION("it is called off") {
    bench.mayBegin = [&] { return asked == 0; };
    CHECK(bench.eraseFailure() == bmc::Error::Code::busy);
    CHECK(bench.record.steps.empty());
    CHECK(asked == 1);
  }
}
