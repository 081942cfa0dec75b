// Inventories, as the coordinator asks for them.
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

wire::InventoryResult inventory(AgentBench& bench, std::int64_t id, const std::string& host = "u1") {
  const auto before = bench.all<wire::InventoryResult>().size();
  bench.say(wire::InventoryRequest{.host = host, .id = id});
  if (!bench.clock.advanceUntil([&] { return bench.all<wire::InventoryResult>().size() > before; }, 5min))
    throw std::runtime_error("no inventory came");
  return bench.all<wire::InventoryResult>().back();
}

int readings(const AgentBench& bench) { return bench.bmc.inventories; }

}  // namespace

TEST_CASE("an agent says that it reads inventories, and does so when asked") {
  Serving bench;
  CHECK(std::ranges::count(bench.all<wire::Hello>().back().capabilities, "inventory") == 1);
  const auto result = inventory(bench, 7);
  CHECK(result.id == 7);
  CHECK(result.outcome == "done");
  CHECK(result.inventory.serialNumber == "S1");
  CHECK(inventory(bench, 7).inventory == result.inventory);  // asked again: it was lost
  CHECK(readings(bench) == 1);
  CHECK(inventory(bench, 8).id == 8);
  CHECK(readings(bench) == 2);
}

TEST_CASE("an inventory says how long ago the BMC was asked, each time it is told") {
  Serving bench;
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path().ends_with("/Processors")) co_await bench.clock.sleepFor(7s);
  };
  CHECK(inventory(bench, 7).ageMs == 7000);
  bench.clock.advance(5s);
  CHECK(inventory(bench, 7).ageMs == 12'000);
}

TEST_CASE("an inventory that was told long ago is read anew") {
  Serving bench;
  static_cast<void>(inventory(bench, 7));
  for (int minute = 0; minute < 12; ++minute) {
    bench.say(wire::Renew{.term = 5, .echoMs = bench.lastStamp(), .leases = {{"u1", 1}}});
    bench.clock.advance(1min);
  }
  CHECK(inventory(bench, 7).id == 7);
  CHECK(readings(bench) == 2);
}

TEST_CASE("two requests at a time are one reading, whose result answers the later") {
  Serving bench;
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path().ends_with("/Processors")) co_await bench.clock.sleepFor(2s);
  };
  bench.say(wire::InventoryRequest{.host = "u1", .id = 7});
  CHECK(inventory(bench, 8).id == 8);
  bench.clock.advance(10s);
  CHECK(bench.all<wire::InventoryResult>().size() == 1);
  CHECK(readings(bench) == 1);
}

TEST_CASE("a command comes in between the readings of an inventory") {
  Serving bench;
  std::string members;
  for (int i = 0; i < 60; ++i) members += fmt::format(R"(,{{"@odata.id":"/p/1?{}"}})", i);
  bench.bmc.documents["/redfish/v1/Systems/1/Processors"] = fmt::format(R"({{"Members":[{}]}})", members.substr(1));
  bench.bmc.documents["/p/1"] = R"({"TotalThreads":1})";
  bench.bmc.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/p/1") co_await bench.clock.sleepFor(1s);
  };
  bench.say(bench.grant({5, 2, 0}));
  bench.say(wire::InventoryRequest{.host = "u1", .id = 7});
  bench.clock.advance(2s);
  bench.say(bench.grant({5, 3, 0}));
  CHECK(bench.command({5, 3, 1}).outcome == "done");
  CHECK(bench.all<wire::InventoryResult>().empty());
  REQUIRE(bench.clock.advanceUntil([&] { return !bench.all<wire::InventoryResult>().empty(); }, 2min));
  CHECK(bench.all<wire::InventoryResult>().back().inventory.processors.threads == 60);
}

TEST_CASE("an inventory that cannot be had is told, with the reason") {
  Serving bench;
  SECTION("of a host that the agent does not serve") {
    const auto result = inventory(bench, 7, "u2");
    CHECK(result.outcome == "failed");
    CHECK(result.errorCode == "no-lease");
  }
  SECTION("of a BMC that does not answer") {
    bench.bmc.instead = [](const net::ServerRequest&) { return net::HttpResponse{.status = 0}; };
    const auto result = inventory(bench, 7);
    CHECK(result.outcome == "failed");
    CHECK_FALSE(result.errorCode.empty());
    CHECK_THAT(result.error, Catch::Contains("bmc.example"));
  }
  SECTION("of which several parts are refused: the rest is read") {
    bench.bmc.moreOfSystem = R"(,"Storage":{"@odata.id":"/s"})";
    bench.bmc.documents["/s"] = R"({"Members":[{"@odata.id":"/s/1"}]})";
    bench.bmc.documents["/s/1"] = R"({"Drives":[{"@odata.id":"/d/1"},{"@odata.id":"/d/2"},{"@odata.id":"/d/3"},
        {"@odata.id":"/d/4"},{"@odata.id":"/d/5"}]})";
    bench.bmc.documents["/d/5"] = R"({"Id":"5","CapacityBytes":1})";
    const auto result = inventory(bench, 7);
    CHECK(result.outcome == "done");
    CHECK(result.inventory.disks.size() == 1);
    CHECK(result.inventory.unread.size() == 4);
    const auto before = bench.all<wire::Facts>().back().powerAgeMs;
    bench.clock.advance(20s);
    CHECK(bench.all<wire::Facts>().back().powerAgeMs <= std::max<std::int64_t>(before, 1000));  // still polled
  }
  SECTION("that no message holds") {
    bench.bmc.moreOfSystem = R"(,"Storage":{"@odata.id":"/s"})";
    bench.bmc.documents["/s"] = R"({"Members":[{"@odata.id":"/s/1"}]})";
    std::string drives;
    for (int i = 0; i < 500; ++i) drives += fmt::format(R"(,{{"@odata.id":"/d?{}"}})", i);
    bench.bmc.documents["/s/1"] = fmt::format(R"({{"Drives":[{}]}})", drives.substr(1));
    const std::string text(300, 'x');
    bench.bmc.documents["/d"] =
        fmt::format(R"({{"Id":"{0}","Model":"{0}","SerialNumber":"{0}","CapacityBytes":1}})", text);
    const auto result = inventory(bench, 7);
    CHECK(result.errorCode == "too-long");
    CHECK(result.error == "the BMC lists more than fits into a message: 0 network cards, 500 disks");
    CHECK(result.inventory == bmc::Inventory{});
  }
  SECTION("of which a message holds what the host is known by") {
    const std::string text(300, 'x');
    bench.bmc.moreOfSystem = R"(,"Manufacturer":"ACME","PCIeDevices":[)";
    for (int i = 0; i < 64; ++i)
      bench.bmc.moreOfSystem += fmt::format(R"({}{{"@odata.id":"/x?{}"}})", i == 0 ? "" : ",", i);
    bench.bmc.moreOfSystem += "]";
    bench.bmc.documents["/x"] = fmt::format(
        R"({{"Name":"{0}","Manufacturer":"{0}","Model":"{0}","PCIeFunctions":{{"@odata.id":"/f"}}}})", text);
    bench.bmc.documents["/f"] = R"({"Members":[{"@odata.id":"/f/1"},{"@odata.id":"/f/2"},{"@odata.id":"/f/3"},
        {"@odata.id":"/f/4"},{"@odata.id":"/f/5"},{"@odata.id":"/f/6"},{"@odata.id":"/f/7"},{"@odata.id":"/f/8"}]})";
    const std::string number(250, 'f');
    for (int i = 1; i <= 8; ++i)
      bench.bmc.documents[fmt::format("/f/{}", i)] =
          fmt::format(R"({{"DeviceClass":"{0}","VendorId":"{1}","DeviceId":"{1}","SubsystemId":"{1}"}})", text, number);
    const auto result = inventory(bench, 7);
    CHECK(result.outcome == "done");
    CHECK(result.inventory.manufacturer == "ACME");
    CHECK(result.inventory.pcieDevices.empty());
    REQUIRE_FALSE(result.inventory.unread.empty());
    CHECK(result.inventory.unread.back() ==
          "0 firmware versions, 64 PCIe devices and 0 components were too long to be sent");
  }
}
