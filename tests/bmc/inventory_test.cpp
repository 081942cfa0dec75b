// What a BMC tells of the hardware (spec/bmc.md §17.2).
#include "tests/bmc/inventory_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using tests::InventoryBench;
using tests::listOf;
using tests::systemResource;

TEST_CASE("adapters' cards count where a system lists none, but for those of other systems; what hides them is named") {
  InventoryBench bench;
  auto& documents = bench.fake.documents;
  documents["/e"] = listOf({});
  documents[systemResource] = R"({"Id":"1","SerialNumber":"s1","EthernetInterfaces":{"@odata.id":"/e"},
    "Links":{"Chassis":[{"@odata.id":"/c/own"},{"@odata.id":"/c/shared"},{"@odata.id":"/c/other"}]}})";
  documents["/c/own"] = R"({"NetworkAdapters":{"@odata.id":"/a"}})";
  documents["/c/shared"] = R"({"NetworkAdapters":{"@odata.id":"/gone"},
    "Links":{"ComputerSystems":[{"@odata.id":"/redfish/v1/Systems/1/"},{"@odata.id":"/redfish/v1/Systems/2"}]}})";
  documents["/c/other"] = R"({"NetworkAdapters":{"@odata.id":"/a/other"},
    "Links":{"ComputerSystems":[{"@odata.id":"/redfish/v1/Systems/2"}]}})";
  documents["/a"] = listOf({"/a/1", "/a/absent"});
  documents["/a/1"] =
      R"({"Id":"A1","Manufacturer":"ACME","Model":"ACME x1","NetworkDeviceFunctions":{"@odata.id":"/f"}})";
  documents["/a/absent"] = R"({"Id":"A2","Status":{"State":"Absent"},"NetworkDeviceFunctions":{"@odata.id":"/f"}})";
  documents["/f"] = listOf({"/f/1", "/f/2"});
  documents["/f/1"] = R"({"Id":"1","Ethernet":{"MACAddress":"00:1A:2B:3C:4D:5E"}})";
  documents["/f/2"] = R"({"Id":"2","Ethernet":{"MACAddress":null,"PermanentMACAddress":"00:1a:2b:3c:4d:5f"}})";
  const auto found = bench.take();
  REQUIRE(found.networkCards.size() == 2);
  CHECK(found.networkCards[0] == bmc::NetworkCard{.name = "A1-1", .mac = "00:1a:2b:3c:4d:5e", .model = "ACME x1"});
  CHECK(found.networkCards[1].mac == "00:1a:2b:3c:4d:5f");
  REQUIRE(found.unread.size() == 1);
  CHECK(found.unread[0].find("/gone") != std::string::npos);
}

TEST_CASE("an inventory holds what the BMC knows, and no accelerator, empty socket or empty slot") {
  InventoryBench bench;
  const auto found = bench.take();
  CHECK(found ==
        bmc::Inventory{.manufacturer = "Contoso",
                       .model = "m1",
                       .serialNumber = "s1",
                       .biosVersion = "2.1",
                       .memoryMib = 32256,
                       .processors = {.architecture = "x86_64", .model = "Xeon", .megahertz = 2100, .threads = 64},
                       .networkCards = {{.name = "NIC.1",
                                         .mac = "00:1a:2b:3c:4d:5e",
                                         .megabitsPerSecond = 25000,
                                         .addresses = {"10.0.0.7", "fd00::7"}},
                                        {.name = "NIC.2", .mac = "00:1a:2b:3c:4d:5f"}},
                       .disks = {{.name = "Disk.1",
                                  .kind = "NVME",
                                  .vendor = "ACME",
                                  .model = "ssd",
                                  .serialNumber = "d1",
                                  .wwn = "0x5002538e40a1b2c3",
                                  .bytes = 960197124096},
                                 {.name = "Disk.2", .kind = "HDD", .bytes = 4000787030016}},
                       .components = {{.path = "/p/1", .kind = "processor", .name = "CPU 1"},
                                      {.path = "/p/2", .kind = "processor", .name = "CPU 1"},
                                      {.kind = "processor"},
                                      {.path = "/d/1", .kind = "drive", .name = "Disk.1"},
                                      {.path = "/d/2", .kind = "drive", .name = "Disk.2"}}});
}

TEST_CASE("an inventory gives way to a power-off between any two of its reads") {
  InventoryBench bench;
  bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(1s); };
  base::TaskGroup group(bench.runtime.executor, bench.runtime.log);
  bool isDone = false;
  const auto takeAll = [&]() -> base::Task<void> {
    (void)co_await bench.driver->inventory->readInventory(bmc::Lane::reconcile);
    isDone = true;
  };
  group.spawn("inventory", takeAll());
  bench.clock.advance(5s);
  const auto start = bench.clock.now();
  bench.run(bench.driver->power->readPower(bmc::Lane::fencing));
  CHECK(bench.clock.now() - start <= 2s);  // what is under way, and its own
  CHECK_FALSE(isDone);
  bench.clock.advance(30s);
  CHECK(isDone);
  bench.run(group.close());
}

TEST_CASE("what a BMC leaves out is found where it stands, too") {
  InventoryBench bench;
  auto& documents = bench.fake.documents;
  documents[systemResource] =
      R"({"Id":"1","Manufacturer":"Dell Inc.","SerialNumber":"board","SKU":"TAG1","HostName":"n1",
    "PowerState":"On","MemorySummary":null,"Memory":{"@odata.id":"/m"},"Processors":null,
    "ProcessorSummary":{"LogicalProcessorCount":8,"Model":"EPYC"},"SimpleStorage":{"@odata.id":"/ss"}})";
  documents["/m"] = listOf({"/m/1", "/m/2"});
  documents["/m/1"] = R"({"CapacityMiB":16384,"Status":{"State":"Enabled"}})";
  documents["/m/2"] = R"({"CapacityMiB":16384,"Status":{"State":"Absent"}})";
  documents["/ss"] = listOf({"/ss/1"});
  documents["/ss/1"] = R"({"Devices":[{"Name":"SATA 0","CapacityBytes":1000},{"Name":"SATA 1","CapacityBytes":0}]})";
  CHECK(bench.take() ==
        bmc::Inventory{.manufacturer = "Dell Inc.",
                       .serialNumber = "TAG1",
                       .hostname = "n1",
                       .memoryMib = 16384,
                       .processors = {.model = "EPYC", .threads = 8},
                       .disks = {{.name = "SATA 0", .bytes = 1000}},
                       .components = {{.kind = "memory", .state = "Enabled"}, {.kind = "drive", .name = "SATA 0"}}});
}

TEST_CASE("an architecture has the kernel's name") {
  InventoryBench bench;
  const auto [told, name] = GENERATE(table<std::string, std::string>({
      {R"("InstructionSet":"ARM-A64")", "aarch64"},
      {R"("InstructionSet":"PowerISA")", "ppc64le"},
      {R"("InstructionSet":"OEM")", ""},
      {R"("ProcessorArchitecture":"ARM")", "aarch64"},
      {R"("Model":"x")", ""},
  }));
  bench.fake.documents["/p"] = listOf({"/p/1"});
  bench.fake.documents["/p/1"] = fmt::format("{{{}}}", told);
  CHECK(bench.take().processors.architecture == name);
}

TEST_CASE("what the BMC refuses to show is named, and the rest is read") {
  InventoryBench bench;
  bench.answer("/s", {.status = GENERATE(404, 500), .body = R"({"error":{"message":"not now"}})"});
  const auto found = bench.take();
  CHECK(found.networkCards.size() == 2);
  CHECK(found.disks.empty());
  REQUIRE(found.unread.size() == 1);
  CHECK_THAT(found.unread.front(), Catch::Contains("https://bmc.example/s: HTTP ") && Catch::Contains("not now"));
}

TEST_CASE("an inventory that the BMC breaks off, or whose system it does not show, is none") {
  const auto [path, status] =
      GENERATE(table<std::string, int>({{"/d/1", 0}, {systemResource, 404}, {systemResource, 500}}));
  CAPTURE(path, status);
  InventoryBench bench;
  bench.answer(path, {.status = status});
  CHECK_THROWS_AS(bench.take(), Error);
}

TEST_CASE("a BMC may list whatever it likes") {
  InventoryBench bench;
  SECTION("endlessly many pages") {
    bench.fake.documents["/e"] = listOf({"/e/1"}, R"(,"Members@odata.nextLink":"/e2")");
    bench.fake.documents["/e2"] = listOf({"/e/1"}, R"(,"Members@odata.nextLink":"/e")");
    CHECK(bench.take().networkCards.size() == 1);
  }
  SECTION("more members than any machine has") {
    std::string members;
    for (int i = 0; i < 5000; ++i) members += fmt::format(R"(,{{"@odata.id":"/d/2?{}"}})", i);
    bench.fake.documents["/s/1"] = fmt::format(R"({{"Drives":[{}]}})", members.substr(1));
    const auto found = bench.take();
    CHECK(found.disks.size() == 512);
    CHECK(found.components.size() == 512);
    CHECK(found.unread == std::vector<std::string>{"more than 512 members: the rest was not looked at",
                                                   "more than 512 components: the rest was left out"});
  }
  SECTION("numbers that are none") {
    bench.fake.documents["/d/2"] = R"({"Id":"Disk.2","CapacityBytes":1e300,"MediaType":7,"Identifiers":"none"})";
    bench.fake.documents["/p/1"] = R"({"TotalThreads":-5,"MaxSpeedMHz":"fast"})";
    const auto found = bench.take();
    CHECK(found.disks.back().bytes > 0);
    CHECK(found.processors.threads == 32);
  }
}

TEST_CASE("an inventory repeats no password, and no text of any length") {
  InventoryBench bench;
  bench.fake.documents["/d/2"] = fmt::format(
      R"({{"Id":"{}","Model":"s3cret","SerialNumber":"a s3cret","CapacityBytes":1000}})", std::string(100'000, 'x'));
  const auto disk = bench.take().disks.back();
  CHECK(disk.name.size() <= 256);
  CHECK(disk.model == "***");
  CHECK(disk.serialNumber == "a ***");
}

TEST_CASE("a drive that has failed and tells no size is a component, and no disk", "[inventory]") {
  InventoryBench bench;
  bench.fake.documents["/d/3"] =
      R"({"Id":"Disk.3","CapacityBytes":null,"Status":{"State":"UnavailableOffline","Health":"Critical"}})";
  const auto found = bench.take();
  CHECK(found.disks.size() == 2);
  const auto failed = std::ranges::find(found.components, std::string("Disk.3"), &bmc::Component::name);
  REQUIRE(failed != found.components.end());
  CHECK(*failed ==
        bmc::Component{
            .path = "/d/3", .kind = "drive", .name = "Disk.3", .state = "UnavailableOffline", .health = "Critical"});
}

TEST_CASE("a reading that loses a connection is repeated, and misses nothing", "[inventory]") {
  InventoryBench bench;
  const auto whole = bench.take();
  int lost = 1;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/d/1" || lost-- <= 0) return std::nullopt;
    return net::HttpResponse{.status = 0};
  };
  const auto begin = bench.clock.now();
  CHECK(bench.take() == whole);
  CHECK(bench.clock.now() - begin == 3s);
}

TEST_CASE("a BMC that is gone in the middle of a reading is given up after two tries", "[inventory]") {
  InventoryBench bench;
  int asked = 0;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/d/1" && asked == 0) return std::nullopt;
    ++asked;
    return net::HttpResponse{.status = 0};
  };
  CHECK(bench.failureOf([&] { bench.take(); }) == bmc::Error::Code::timeout);
  CHECK(asked == 2);
  CHECK(bench.failureOf([&] { bench.take(); }) == bmc::Error::Code::timeout);
  CHECK(bench.failureOf([&] { bench.take(); }) == bmc::Error::Code::unreachable);  // the governor says so
  CHECK(asked == 3);
}

TEST_CASE("connections that are lost again and again end a reading", "[inventory]") {
  InventoryBench bench;
  int asked = 0;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().starts_with("/e") && !request.path().starts_with("/d")) return std::nullopt;
    if (asked++ % 2 == 1) return std::nullopt;
    return net::HttpResponse{.status = 0};
  };
  CHECK(bench.failureOf([&] { bench.take(); }) == bmc::Error::Code::timeout);
  CHECK(asked < 16);
}

TEST_CASE("a poll of the power that loses its connection is not repeated: the next comes anyway", "[inventory]") {
  InventoryBench bench;
  bench.read();
  bench.answer(systemResource, {.status = 0}, 1);
  const auto begin = bench.clock.now();
  CHECK(bench.readFailure() == bmc::Error::Code::timeout);
  CHECK(bench.clock.now() == begin);
}
