// What is the same for all hosts of a BMC is read once, whichever of them asks.
#include "bmc/kept_reading.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Lane;

namespace {

// Two hosts behind one BMC, whose requests are counted.
struct OneChassis : tests::RedfishBench {
  OneChassis() {
    fake.moreOfSystem = R"(,"Links":{"ManagedBy":[{"@odata.id":"/mgr"}]})";
    fake.documents["/redfish/v1/Systems/2"] = R"({"Id":"2","PowerState":"On","Model":"B",)"
                                              R"("Links":{"ManagedBy":[{"@odata.id":"/mgr"}]}})";
    showManager("1.0", "2026-01-01T00:00:00Z");
    fake.before = [this](const auto& request) {
      ++asked[std::string(request.path())];
      return clock.sleepFor(takes);
    };
    driver = open("s3cret", "redfish://bmc.example/redfish/v1/Systems/1");
    second = open("s3cret", "redfish://bmc.example/redfish/v1/Systems/2");
  }
  ~OneChassis() { run(group.close()); }

  void showManager(const std::string& firmware, const std::string& time) {
    fake.documents["/mgr"] = fmt::format(R"({{"FirmwareVersion":"{}","DateTime":"{}"}})", firmware, time);
  }
  bmc::Identity identityOf(bmc::Driver& host) { return run(host.identity->identify(Lane::polling)); }
  static base::Task<void> identify(bmc::Driver& host) {
    static_cast<void>(co_await host.identity->identify(Lane::polling));
  }
  std::optional<std::chrono::seconds> ahead() { return run(second->logs->readLogs(Lane::background, {})).clockAhead; }

  base::Duration takes{};
  std::map<std::string, int> asked;  // by path
  std::unique_ptr<bmc::Driver> second;
  base::TaskGroup group{runtime.executor, runtime.log};
};

// A value that is read when the test says so.
struct Readings : tests::Loop {
  using Kept = bmc::KeptReading<int>;

  void ask(Lane lane, base::Duration notOlderThan = 1min) {
    group.spawn("ask", asking(*this, lane, notOlderThan));
    clock.settle();
  }
  static base::Task<void> asking(Readings& bench, Lane lane, base::Duration notOlderThan) {
    try {
      bench.told.push_back(co_await bench.kept.get(lane, notOlderThan, [&bench] { return read(bench); }));
    } catch (const bmc::Error&) {
      ++bench.failures;
    }
  }
  static base::Task<int> read(Readings& bench) {
    const int number = ++bench.reads;
    while (bench.ended < number) co_await bench.end.wait();
    if (bench.fails) throw bmc::Error(bmc::Error::Code::timeout, "no answer");
    co_return number;
  }
  // All readings up to this one may end.
  void finish(int number) {
    ended = number;
    end.notifyAll();
    clock.settle();
  }

  base::Notifier end{runtime.executor};
  Kept kept{runtime};
  int reads = 0, ended = 0, failures = 0;
  bool fails = false;
  std::vector<int> told;
  base::TaskGroup group{runtime.executor, runtime.log};
  ~Readings() { run(group.close()); }
};

}  // namespace

TEST_CASE("two hosts of a BMC read its root and its manager once between them") {
  OneChassis bench;
  CHECK(bench.identityOf(*bench.driver).bmcFirmware == "1.0");
  CHECK(bench.identityOf(*bench.second).bmcFirmware == "1.0");
  CHECK(bench.identityOf(*bench.second).model == "B");
  CHECK(bench.asked["/redfish/v1/"] == 1);
  CHECK(bench.asked["/mgr"] == 1);
  CHECK(bench.asked["/redfish/v1/Systems/1"] == 1);
}

TEST_CASE("hosts that ask at the same time ask their manager once") {
  OneChassis bench;
  bench.takes = 1s;
  bench.group.spawn("first", OneChassis::identify(*bench.driver));
  bench.group.spawn("second", OneChassis::identify(*bench.second));
  bench.clock.advance(30s);
  CHECK(bench.group.running() == 0);
  CHECK(bench.asked["/mgr"] == 1);
}

TEST_CASE("a new firmware of a BMC is seen by each of its hosts a minute later") {
  OneChassis bench;
  bench.identityOf(*bench.driver);
  bench.showManager("2.0", "");
  bench.clock.advance(61s);
  CHECK(bench.identityOf(*bench.driver).bmcFirmware == "2.0");
  CHECK(bench.identityOf(*bench.second).bmcFirmware == "2.0");
  CHECK(bench.asked["/mgr"] == 2);
}

TEST_CASE("a manager that did not answer one host is asked again for the next") {
  OneChassis bench;
  bench.answer("/mgr", {.status = 404}, 1);
  CHECK(bench.identityOf(*bench.driver).bmcFirmware.empty());
  CHECK(bench.identityOf(*bench.second).bmcFirmware == "1.0");
}

TEST_CASE("how far the clock of a BMC is ahead of ours is known of what its manager told any host") {
  OneChassis bench;
  CHECK(bench.ahead() == std::nullopt);
  bench.showManager("1.0", base::formatTime(bench.clock.wall() + 1h));
  bench.identityOf(*bench.driver);
  CHECK(bench.ahead() == 1h);
  bench.clock.advance(2min);
  bench.showManager("1.0", GENERATE("", "soon", "2026-01-01"));  // it stays with what was told
  bench.identityOf(*bench.driver);
  CHECK(bench.ahead() == 1h);
  bench.clock.advance(2min);
  bench.showManager("1.0", "1678-01-01T00:00:00Z");
  bench.identityOf(*bench.driver);
  CHECK(*bench.ahead() < -std::chrono::years(300));
}

TEST_CASE("who asks while it is read waits for that reading, and who asks soon after gets it") {
  Readings bench;
  bench.ask(Lane::polling);
  bench.ask(Lane::polling);
  bench.ask(Lane::background);
  CHECK(bench.reads == 1);
  bench.finish(1);
  CHECK(bench.told == std::vector{1, 1, 1});
  bench.clock.advance(1min);
  bench.ask(Lane::polling);
  CHECK(bench.reads == 1);
  bench.clock.advance(1s);
  bench.ask(Lane::polling);
  CHECK(bench.reads == 2);
}

TEST_CASE("who is more urgent waits for nobody's reading") {
  Readings bench;
  bench.ask(Lane::background);
  bench.ask(Lane::fencing);
  CHECK(bench.reads == 2);
  bench.ask(Lane::polling);  // waits for the urgent one
  CHECK(bench.reads == 2);
  bench.finish(2);
  CHECK(bench.told.size() == 3);
  bench.clock.advance(2min);
  bench.ask(Lane::fencing);  // nobody is left in whose stead it would wait
  CHECK(bench.reads == 3);
}

TEST_CASE("a reading that fails fails for who made it, and the next one tries himself") {
  Readings bench;
  bench.fails = true;
  bench.ask(Lane::polling);
  bench.ask(Lane::polling);
  bench.finish(1);
  CHECK(bench.failures == 1);
  CHECK(bench.reads == 2);
  bench.fails = false;
  bench.finish(2);
  CHECK(bench.told == std::vector{2});
}

TEST_CASE("what a BMC does otherwise than others is believed for an hour once its manager was read", "[redfish]") {
  OneChassis bench;
  const auto [manager, isBelieved] = GENERATE(table<std::string, bool>({
      {R"({"Model":"m"})", true},
      {R"({"Model":)", false},  // which may pass
      {"", true},               // there is none
  }));
  bench.fake.hasMedia = true;
  if (manager.empty())
    bench.fake.documents.erase("/mgr");
  else
    bench.fake.documents["/mgr"] = manager;
  const auto asks = [&] {
    const int before = bench.asked["/mgr"];
    bench.clock.advance(2min);
    static_cast<void>(bench.run(bench.driver->media->insertedMedia(Lane::operatorCommand)));
    return bench.asked["/mgr"] - before;
  };
  const int first = asks();
  CHECK(first >= 1);
  CHECK(asks() == (isBelieved ? first - 1 : first));
}
