// Leak detectors of liquid-cooled machines (docs/decisions/0039).
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

struct LeakBench : tests::RedfishBench {
  LeakBench() {
    auto& documents = fake.documents;
    documents["/redfish/v1/Systems/1"] = R"({"Id":"1","PowerState":"On","Links":{"Chassis":[{"@odata.id":"/c"}]}})";
    documents["/c"] = R"({"Thermal":{"@odata.id":"/t"},"ThermalSubsystem":{"@odata.id":"/ts"}})";
    documents["/t"] = R"({"Fans":[{"Name":"F","Status":{"Health":"Warning"}}]})";
    documents["/ts"] = R"({"Fans":{"@odata.id":"/f"},"LeakDetection":{"@odata.id":"/ld"}})";
    documents["/ld"] = R"({"LeakDetectors":{"@odata.id":"/l"}})";
    documents["/l"] = R"({"Members":[{"@odata.id":"/l/1"},{"@odata.id":"/l/2"},{"@odata.id":"/l/3"}]})";
    documents["/l/1"] = R"({"@odata.id":"/l/1","Name":"Cold plates","DetectorState":"Critical",
      "Status":{"State":"Enabled","Health":"OK"}})";
    documents["/l/2"] = R"({"@odata.id":"/l/2","Id":"2","DetectorState":"OK","Status":{"State":"Enabled",
      "Health":"Warning"}})";
    documents["/l/3"] = R"({"Name":"Empty","DetectorState":"Critical","Status":{"State":"Absent"}})";
    fake.before = [this](const net::ServerRequest& request) -> base::Task<void> {
      asked.emplace_back(request.target);
      co_return;
    };
  }
  bmc::SensorReading take() {
    asked.clear();
    auto found = run(driver->sensors->readSensors(bmc::Lane::polling));
    std::erase_if(found.sensors.parts, [](const auto& part) { return part.kind != "leak-detector"; });
    return found;
  }
  [[nodiscard]] std::ptrdiff_t asks(std::string_view path) const { return std::ranges::count(asked, path); }

  std::vector<std::string> asked;
};

std::vector<bmc::Component> twoDetectors() {
  return {{"/l/1", "leak-detector", "Cold plates", "Enabled", "Critical"},
          {"/l/2", "leak-detector", "2", "Enabled", "Warning"}};
}

}  // namespace

TEST_CASE("a leak is told beside the readings, and raises what the BMC says of the host", "[sensors][leaks]") {
  LeakBench bench;
  const auto found = bench.take();
  CHECK(found.sensors.parts == twoDetectors());
  CHECK(found.raised == bmc::Health::critical);
  CHECK(found.sensors.unread.empty());
  bench.fake.documents["/l/1"] = R"({"Name":"Cold plates","DetectorState":"OK"})";
  bench.fake.documents["/l/2"] = R"({"Name":"2","DetectorState":"OK"})";
  CHECK(bench.take().raised == bmc::Health::ok);  // not by the fan: its BMC judges that itself
}

TEST_CASE("detectors that the chassis links to itself are asked for nowhere else", "[sensors][leaks]") {
  LeakBench bench;
  bench.fake.documents["/c"] = R"({"Thermal":{"@odata.id":"/t"},"ThermalSubsystem":{"@odata.id":"/ts"},
    "LeakDetectors":{"@odata.id":"/l"}})";
  CHECK(bench.take().sensors.parts == twoDetectors());
  CHECK(bench.asks("/ts") + bench.asks("/ld") == 0);
}

TEST_CASE("detectors that only their groups tell of are told as well", "[sensors][leaks]") {
  LeakBench bench;
  bench.fake.documents["/ld"] = R"({"LeakDetectorGroups":[{"GroupName":"Under","Detectors":[
    {"DataSourceUri":"/l/1","DeviceName":"Cold plates","DetectorState":"Warning"},{"DetectorState":7}]}]})";
  const auto found = bench.take();
  CHECK(found.sensors.parts == std::vector<bmc::Component>{{"/l/1", "leak-detector", "Cold plates", "", "Warning"},
                                                           {"", "leak-detector", "Leak detector", "", ""}});
  CHECK(found.raised == bmc::Health::warning);
}

TEST_CASE("a detector that is off tells of no leak", "[sensors][leaks]") {
  LeakBench bench;
  bench.fake.documents["/l/1"] = R"({"Name":"Cold plates","DetectorState":"Critical","Status":{"State":"Disabled"}})";
  bench.fake.documents["/l/2"] = R"({"Name":"2","DetectorState":"OK"})";
  const auto found = bench.take();
  REQUIRE(found.sensors.parts.size() == 2);
  CHECK(found.sensors.parts.front().health.empty());
  CHECK(found.raised == bmc::Health::ok);
}

TEST_CASE("a chassis without leak detection is asked for it once an hour", "[sensors][leaks]") {
  LeakBench bench;
  const auto* cooling = GENERATE(R"({"Fans":{"@odata.id":"/f"}})", "");
  if (*cooling == '\0')
    bench.fake.documents.erase("/ts");
  else
    bench.fake.documents["/ts"] = cooling;
  CHECK(bench.take().raised == bmc::Health::unknown);
  CHECK(bench.asks("/ts") == 1);
  CHECK(bench.asks("/f") == 0);  // Thermal has told of them
  bench.clock.advance(59min);
  bench.take();
  CHECK(bench.asks("/ts") == 0);
  bench.clock.advance(2min);
  bench.take();
  CHECK(bench.asks("/ts") == 1);
}

TEST_CASE("leak detection that cannot be read for a moment is asked for again at the next reading",
          "[sensors][leaks]") {
  LeakBench bench;
  CHECK(bench.take().raised == bmc::Health::critical);
  const auto bad = GENERATE(net::HttpResponse{.status = 503, .headers = {{"Retry-After", "60"}}},
                            net::HttpResponse{.status = 200, .body = "{\"LeakDetection\":"},
                            net::HttpResponse{.status = 403, .body = "{}"});
  bench.answer("/ts", bad);
  CHECK_FALSE(bench.take().sensors.unread.empty());
  bench.fake.instead = nullptr;
  const auto found = bench.take();
  CHECK(bench.asks("/ts") == 1);
  CHECK(found.raised == bmc::Health::critical);
  CHECK(found.sensors.unread.empty());
}

TEST_CASE("a leak is raised however many parts come before its detector", "[sensors][leaks]") {
  LeakBench bench;
  std::string fans;
  for (int i = 0; i < 64; ++i)
    fans += fmt::format(R"({}{{"Name":"F{}","Status":{{"Health":"OK"}}}})", i == 0 ? "" : ",", i);
  bench.fake.documents["/t"] = fmt::format(R"({{"Fans":[{}]}})", fans);
  SECTION("it is told in place of a part that is well") {
    const auto found = bench.take();
    CHECK(found.raised == bmc::Health::critical);
    CHECK(found.sensors.parts == twoDetectors());
    CHECK(found.sensors.unread == std::vector<std::string>{"more than 64 parts: the rest was left out"});
  }
  SECTION("where none of them is well, it raises the host all the same") {
    for (std::size_t at = 0; (at = bench.fake.documents["/t"].find("OK", at)) != std::string::npos; ++at)
      bench.fake.documents["/t"].replace(at, 2, "Critical");
    const auto found = bench.take();
    CHECK(found.raised == bmc::Health::critical);
    CHECK(found.sensors.parts.empty());
  }
}

TEST_CASE("parts that there is no room to read are said to be left out", "[sensors]") {
  LeakBench bench;
  std::string supplies;
  for (int i = 0; i < 64; ++i)
    supplies += fmt::format(R"({}{{"Name":"P{}","Status":{{"Health":"OK"}}}})", i == 0 ? "" : ",", i);
  bench.fake.documents["/c"] = R"({"Thermal":{"@odata.id":"/t"},"PowerSubsystem":{"@odata.id":"/ps"}})";
  bench.fake.documents["/t"] = fmt::format(R"({{"Fans":[{}]}})", supplies);
  bench.fake.documents["/ps"] = R"({"PowerSupplies":{"@odata.id":"/ps/all"}})";
  bench.fake.documents["/ps/all"] = R"({"Members":[{"@odata.id":"/ps/1"}]})";
  CHECK(bench.take().sensors.unread == std::vector<std::string>{"more than 64 parts: the rest was left out"});
  CHECK(bench.asks("/ps/all") == 0);
}
