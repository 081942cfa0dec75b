// When a host is read, and what of it is told.
#include "base/file.hpp"
#include "tests/agent/fixture.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("a reading is as old as its question") {
  AgentBench bench;
  bench.greet();
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/redfish/v1/Systems/1") co_await bench.clock.sleepFor(7s);
  };
  bench.say(bench.grant({5, 1, 0}));
  bench.clock.advance(30s);
  const auto facts = bench.all<wire::Facts>();
  const auto known = std::ranges::find(facts, std::string("Off"), &wire::Facts::power);
  REQUIRE(known != facts.end());
  CHECK(known->powerAgeMs >= 7000);
  CHECK(known->powerTookMs >= 7000);
  CHECK(known->healthAgeMs >= 7000);
}

TEST_CASE("a BMC that tells its health with its power is not asked for it again before that is old") {
  AgentBench bench;
  bench.greet();
  int asked = 0;
  bench.bmc.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/redfish/v1/Systems/1") ++asked;
    return std::nullopt;
  };
  auto grant = bench.grant({5, 1, 0});
  grant.sensorPollMs = grant.logPollMs = grant.inventoryPollMs = 0;
  grant.powerPollMs = 5000;
  grant.healthPollMs = 20'000;
  bench.say(grant);
  bench.clock.advance(30s);
  asked = 0;
  SECTION("its power is read more often") {
    bench.clock.advance(2min);
    CHECK(asked >= 21);
    CHECK(asked <= 27);  // 24 polls, give or take a tenth
  }
  SECTION("its power is read less often") {
    grant.powerPollMs = 120'000;
    bench.say(grant);
    bench.clock.advance(4min);
    CHECK(asked >= 10);
    CHECK(asked <= 16);  // every 20 s
  }
}

TEST_CASE("intervals and stamps may be of any size") {
  AgentBench bench;
  bench.greet();
  const auto extreme = GENERATE(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), 0);
  auto grant = bench.grant({5, 1, 0});
  grant.powerPollMs = grant.healthPollMs = extreme;
  bench.say(grant);
  bench.say(wire::Welcome{.state = "approved", .term = 5, .heartbeatMs = extreme});
  bench.say(wire::Renew{.term = 5, .echoMs = extreme, .ttlMs = extreme, .leases = {{"u1", 1}}});
  const int before = bench.bmc.logins;
  bench.clock.advance(10s);
  CHECK(bench.bmc.logins - before <= 1);
  CHECK(bench.all<wire::Facts>().size() <= 300);
  CHECK_FALSE(bench.all<wire::Facts>().empty());
}

TEST_CASE("a CA file that is missing at the grant is read when it is there") {
  const TemporaryFolder folder;
  AgentBench bench(folder.path("ca.pem"));
  bench.greet();
  bench.say(bench.grant({5, 1, 0}));
  bench.clock.advance(20s);
  REQUIRE_FALSE(bench.all<wire::Facts>().empty());
  CHECK(bench.all<wire::Facts>().back().bmcErrorCode == "tls");
  CHECK_THAT(bench.all<wire::Facts>().back().bmcError,
             Catch::Contains("the CA file is not usable: ") && Catch::Contains(folder.path("ca.pem")));
  CHECK(bench.all<wire::Facts>().size() == 1);  // told once
  base::writeFileAtomically(folder.path("ca.pem"), "a CA");
  bench.clock.advance(10s);
  CHECK(bench.all<wire::Facts>().back().power == "Off");
}

TEST_CASE("a password that was refused is not tried again by an agent that starts, but for a forced power-off") {
  const TemporaryFolder folder;
  AgentBench bench("", folder.path("refused.json"));
  bench.bmc.password = "another";
  bench.greet();
  bench.say(bench.grant({5, 1, 0}));
  bench.clock.advance(10s);
  REQUIRE(bench.bmc.logins == 1);
  bench.stop();
  bench.heard.clear();
  bench.start();
  bench.greet();
  bench.say(bench.grant({5, 2, 0}));
  bench.clock.advance(5s);
  CHECK(bench.bmc.logins == 1);
  CHECK(bench.all<wire::Facts>().back().bmcErrorCode == "locked-out");
  CHECK(bench.all<wire::Facts>().back().bmcError ==
        "the BMC refused the user name or password; they are not tried again until they change");
  CHECK(bench.command({5, 2, 1}, "on").errorCode == "locked-out");
  CHECK(bench.bmc.logins == 1);
  bench.say(wire::Acknowledge{.host = "u1", .token = {5, 2, 1}});
  CHECK(bench.command({5, 2, 2}, "hard-off").errorCode == "authentication-failed");
  CHECK(bench.bmc.logins == 2);
}

TEST_CASE("a host whose readings end in errors is read less often, and as before once it answers well") {
  int asked = 0;
  bool isIll = true;
  AgentBench bench;
  bench.greet();
  bench.bmc.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/Systems/1") return std::nullopt;
    ++asked;
    if (!isIll) return std::nullopt;
    return net::HttpResponse{.status = 404, .headers = {}, .body = "{}"};
  };
  auto grant = bench.grant({5, 1, 0});
  grant.powerPollMs = 1000;
  bench.say(grant);
  bench.clock.advance(2min);
  asked = 0;
  bench.clock.advance(90s);
  CHECK(asked >= 3);
  CHECK(asked <= 5);  // every 30 s, give or take a quarter
  isIll = false;
  bench.clock.advance(31s);
  asked = 0;
  bench.clock.advance(10s);
  CHECK(asked >= 9);
}

TEST_CASE("new access to a BMC that was silent is tried at once") {
  AgentBench bench;
  bench.greet();
  bench.bmc.instead = [](const auto&) { return net::HttpResponse{.status = 0}; };
  bench.say(bench.grant({5, 1, 0}));
  bench.clock.advance(10min);
  bench.bmc.instead = nullptr;
  bench.bmc.password = "new";
  bench.clock.advance(1s);
  REQUIRE(bench.all<wire::Facts>().back().bmcErrorCode == "timeout");
  auto changed = bench.grant({5, 2, 0});
  changed.password = wire::WireSecret("new");
  bench.say(changed);
  bench.clock.advance(1s);
  CHECK(bench.all<wire::Facts>().back().power == "Off");
}

namespace {

struct WithSensors : AgentBench {
  WithSensors() {
    bmc.documents["/redfish/v1/Systems/1"] = R"({"Id":"1","PowerState":"On","Links":{"Chassis":[{"@odata.id":"/c"}]}})";
    bmc.documents["/c"] = R"({"Thermal":{"@odata.id":"/t"}})";
    bmc.documents["/t"] = R"({"Temperatures":[{"Name":"Inlet","ReadingCelsius":23}]})";
    greet();
  }
  void serve(std::int64_t sensorPollMs) {
    auto wanted = grant({5, 1, 0});
    wanted.sensorPollMs = sensorPollMs;
    say(wanted);
  }
};

}  // namespace

TEST_CASE("sensors are read at the interval that the coordinator wants, and told with their grant and age") {
  WithSensors bench;
  bench.serve(60'000);
  bench.clock.advance(4min);
  const auto told = bench.all<wire::SensorFacts>();
  REQUIRE(told.size() >= 3);
  CHECK(told.size() <= 5);
  CHECK(told.back().host == "u1");
  CHECK(told.back().term == 5);
  CHECK(told.back().lease == 1);
  CHECK(told.back().sensors.readings == std::vector<bmc::Sensor>{{"Inlet", "temperature", "Cel", 23, "", ""}});
  CHECK(told.back().nextInMs == 60'000);
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/t") co_await bench.clock.sleepFor(7s);
  };
  bench.clock.advance(2min);
  CHECK(bench.all<wire::SensorFacts>().back().ageMs >= 7000);
  CHECK(bench.all<wire::SensorFacts>().back().nextInMs >= 240'000);  // 120 times what it takes over 5 s
  CHECK(bench.all<wire::SensorFacts>().back().nextInMs <= 250'000);
}

TEST_CASE("sensors that take very long are read an hour later at most, and so it is told") {
  WithSensors bench;
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/c" || request.path() == "/t") co_await bench.clock.sleepFor(20s);
  };
  bench.serve(60'000);
  bench.clock.advance(5min);
  REQUIRE_FALSE(bench.all<wire::SensorFacts>().empty());
  CHECK(bench.all<wire::SensorFacts>().back().nextInMs == 3'600'000);
}

TEST_CASE("what of a host is not read is told with why and since when, until it is read") {
  WithSensors bench;
  bench.bmc.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/c") return std::nullopt;
    return net::HttpResponse{.status = 0};
  };
  bench.serve(60'000);
  bench.clock.advance(1min);
  const auto unread = [&] { return bench.all<wire::Facts>().back().unread; };
  REQUIRE(unread().size() == 1);
  CHECK(unread().front().what == "sensors");
  CHECK(unread().front().code == "timeout");
  CHECK_THAT(unread().front().error, Catch::Contains("/c"));
  bench.clock.advance(5min);
  bench.say(wire::SnapshotRequest{.host = "u1"});
  REQUIRE(unread().size() == 1);
  CHECK(unread().front().sinceMs >= 300'000);
  CHECK(unread().front().sinceMs < 360'000);
  bench.bmc.instead = nullptr;
  bench.clock.advance(80min);
  CHECK(unread().empty());
  CHECK_FALSE(bench.all<wire::SensorFacts>().empty());
}

TEST_CASE("the firmware of a BMC that was updated is told, some hours later at most") {
  AgentBench bench;
  const auto manager = [&](std::string_view version) {
    bench.bmc.documents["/redfish/v1/Managers/1"] =
        fmt::format(R"({{"Id":"1","ManagerType":"BMC","FirmwareVersion":"{}"}})", version);
  };
  bench.bmc.documents["/redfish/v1/Systems/1"] =
      R"({"Id":"1","PowerState":"Off","Links":{"ManagedBy":[{"@odata.id":"/redfish/v1/Managers/1"}]}})";
  manager("7.10");
  bench.greet();
  bench.say(bench.grant({5, 1, 0}));
  bench.clock.advance(1min);
  CHECK(bench.all<wire::Facts>().back().bmcFirmware == "7.10");
  manager("7.20");
  int asked = 0;
  bench.bmc.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/redfish/v1/Managers/1") ++asked;
    co_return;
  };
  for (int minute = 0; minute < 7 * 60; ++minute) {
    bench.say(wire::Renew{.term = 5, .ttlMs = 120'000, .leases = {{"u1", 1}}});
    bench.clock.advance(1min);
  }
  CHECK(bench.all<wire::Facts>().back().bmcFirmware == "7.20");
  CHECK(asked == 1);
  bench.bmc.documents["/redfish/v1/Managers/1"] = "{}";  // it is not ready
  for (int minute = 0; minute < 7 * 60; ++minute) {
    bench.say(wire::Renew{.term = 5, .ttlMs = 120'000, .leases = {{"u1", 1}}});
    bench.clock.advance(1min);
  }
  CHECK(asked > 1);
  CHECK(bench.all<wire::Facts>().back().bmcFirmware == "7.20");
}

TEST_CASE("sensors that nobody wants are not read") {
  bool isRead = false;
  WithSensors bench;
  bench.bmc.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    isRead = isRead || request.path() == "/t";
    co_return;
  };
  bench.serve(0);
  bench.clock.advance(10min);
  CHECK_FALSE(isRead);
  CHECK(bench.all<wire::SensorFacts>().empty());
}

TEST_CASE("a BMC that does not answer is not asked for its sensors") {
  int asked = 0;
  WithSensors bench;
  bench.serve(1000);
  bench.clock.advance(1min);
  bench.bmc.instead = [&asked](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/c" || request.path() == "/t") ++asked;
    return net::HttpResponse{.status = 0};
  };
  bench.clock.advance(10s);
  asked = 0;
  bench.clock.advance(5min);
  CHECK(asked == 0);
}

namespace {

// In front of a coordinator that speaks version 2.
struct BatchingBench : AgentBench {
  BatchingBench() {
    greet();
    say(wire::Welcome{.version = 2, .state = "approved", .term = 5});
    say(grant({5, 1, 0}));
    clock.advance(20s);
  }
  // So many facts in full were told since the last call.
  std::size_t newlyTold() { return all<wire::Facts>().size() - std::exchange(seen_, all<wire::Facts>().size()); }
  [[nodiscard]] wire::FreshFacts lastFresh() const { return all<wire::StillFresh>().back().facts.at(0); }

 private:
  std::size_t seen_ = 0;
};

}  // namespace

// What the coordinator takes for the time of a reading is never later than when the BMC was asked for it.
TEST_CASE("what holds still at a BMC that answers slowly is as old as its question, and no look makes it younger") {
  BatchingBench bench;
  const auto takes = GENERATE(values<base::Duration>({3s, 12s, 40s}));
  bench.bmc.before = [&](const net::ServerRequest&) { return bench.clock.sleepFor(takes); };
  bench.clock.advance(2 * takes + 10s);
  std::size_t heard = bench.all<wire::StillFresh>().size();
  const auto first = heard;
  for (int i = 0; i < 300; ++i) {
    bench.clock.advance(1s);
    const auto told = bench.all<wire::StillFresh>();
    for (; heard < told.size(); ++heard)
      for (const auto& facts : told[heard].facts) {
        INFO("after " << i << " s");
        CHECK(facts.powerAgeMs >= (takes / 1ms) - 1);
        CHECK(facts.healthAgeMs >= (takes / 1ms) - 1);
      }
  }
  CHECK(heard > first + 3);
  bench.bmc.before = nullptr;  // it is still asked to log out
}

TEST_CASE("readings that say nothing new are told as still fresh, where the coordinator takes that") {
  BatchingBench bench;
  CHECK(bench.newlyTold() > 0);
  const auto before = bench.all<wire::StillFresh>().size();
  bench.clock.advance(1min);
  CHECK(bench.newlyTold() == 0);
  CHECK(bench.all<wire::StillFresh>().size() >= before + 10);
  CHECK(bench.lastFresh().host == "u1");
  CHECK(bench.lastFresh().seq == bench.all<wire::Facts>().back().seq);
  CHECK(bench.lastFresh().powerAgeMs <= 1100);

  SECTION("what changes is told in full, at once and once") {
    bench.bmc.powerState = "On";
    bench.clock.advance(30s);
    CHECK(bench.newlyTold() == 1);
    CHECK(bench.all<wire::Facts>().back().power == "On");
    CHECK(bench.lastFresh().seq == bench.all<wire::Facts>().back().seq);
  }
  SECTION("how far it has booted, too, without the password that a BMC puts there") {
    bench.bmc.powerState = "On";
    bench.bmc.moreOfSystem = R"(,"BootProgress":{"LastState":"OSBootStarted"})";
    bench.clock.advance(30s);
    CHECK(bench.newlyTold() == 1);
    CHECK(bench.all<wire::Facts>().back().bootProgress == "OSBootStarted");
    bench.bmc.moreOfSystem = R"(,"BootProgress":{"LastState":"OEM","OemLastState":"as s3cret"})";
    bench.clock.advance(30s);
    CHECK(bench.newlyTold() == 1);
    CHECK_THAT(bench.all<wire::Facts>().back().bootProgress, Catch::StartsWith("as ") && !Catch::Contains("s3cret"));
  }
  SECTION("as is what is asked for") {
    bench.say(wire::SnapshotRequest{.host = "u1"});
    CHECK(bench.newlyTold() == 1);
  }
  SECTION("what was learnt under another grant, though it is the same") {
    bench.say(bench.grant({5, 2, 0}));
    bench.clock.advance(30s);
    CHECK(bench.newlyTold() == 1);
    CHECK(bench.all<wire::Facts>().back().lease == 2);
  }
  SECTION("and everything after ten minutes") {
    bench.clock.advance(10min);
    CHECK(bench.newlyTold() == 1);
  }
  SECTION("a BMC that fails in the same way is told once, and how old its power has become each time") {
    bench.network.remove("https://bmc.example:443");
    bench.clock.advance(2min);
    const auto told = bench.newlyTold();
    CHECK(told <= 3);
    CHECK_FALSE(bench.all<wire::Facts>().back().bmcErrorCode.empty());
    CHECK(bench.lastFresh().powerAgeMs > 30'000);
  }
  SECTION("a coordinator of version 1 is told in full again") {
    bench.say(wire::Welcome{.state = "approved", .term = 5});
    bench.clock.advance(30s);
    CHECK(bench.newlyTold() >= 4);
  }
}
