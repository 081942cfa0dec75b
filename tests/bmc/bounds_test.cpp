// What a BMC may list, name and repeat, and how much of it is kept.
#include "bmc/redfish/error_body.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;

namespace {

constexpr auto boundedSystem = "/redfish/v1/Systems/1";

std::string manyOf(std::string_view one, int count) {
  std::string all(one);
  all.reserve(count * (one.size() + 1));
  for (int i = 1; i < count; ++i) (all += ',') += one;
  return all;
}

struct BoundsBench : tests::RedfishBench {
  BoundsBench() {
    fake.before = [this](const net::ServerRequest& request) -> base::Task<void> {
      asked.emplace_back(request.target.substr(0, 100));
      longest = std::max(longest, request.target.size());
      co_return;
    };
  }
  bmc::Sensors sensors() { return run(driver->sensors->readSensors(bmc::Lane::polling)).sensors; }
  // One chassis, which links its sensors there, of a service that expands collections.
  void showSensors() {
    fake.documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},
      "Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}},
      "ProtocolFeaturesSupported":{"ExpandQuery":{"Levels":true}}})";
    fake.documents[boundedSystem] = R"({"Id":"1","PowerState":"On","Links":{"Chassis":[{"@odata.id":"/c"}]}})";
    fake.documents["/c"] = R"({"Sensors":{"@odata.id":"/s"}})";
  }
  [[nodiscard]] std::ptrdiff_t asks(std::string_view path) const { return std::ranges::count(asked, path); }

  std::vector<std::string> asked;
  std::size_t longest = 0;
};

}  // namespace

TEST_CASE("a list that is too long is refused wherever it is, before it becomes a thousand times larger", "[bounds]") {
  BoundsBench bench;
  const auto many = manyOf("{}", 1'000'000);
  const auto some = manyOf("{}", 9'000);
  bench.fake.documents[boundedSystem] = GENERATE_COPY(
      fmt::format(R"({{"PowerState":"On","LeakDetectorGroups":[{{"Detectors":[{}]}}]}})", many),
      fmt::format(R"({{"PowerState":"On","error":{{"@Message.ExtendedInfo":[{}]}}}})", many),
      fmt::format(R"({{"PowerState":"On","Links":{{"ManagedBy":[{}]}}}})", many),
      fmt::format(R"({{"PowerState":"On","Actions":{{"#ComputerSystem.Reset":{{)"
                  R"("ResetType@Redfish.AllowableValues":[{}]}}}}}})",
                  many),
      fmt::format(R"({{"PowerState":"On","Groups":[{}]}})",
                  manyOf(fmt::format(R"({{"Detectors":[{}]}})", some), 20)));  // of which none is too long by itself
  CHECK(bench.readFailure() == Error::Code::protocol);
  CHECK(bench.text.size() < 200);
}

TEST_CASE("an object of a million members is refused as such a list is", "[bounds]") {
  BoundsBench bench;
  std::string members;
  for (int i = 0; i < 300'000; ++i) members += fmt::format(R"("{:x}":0,)", i);
  bench.fake.documents[boundedSystem] = fmt::format(R"({{"PowerState":"On","Messages":{{{}"z":0}}}})", members);
  CHECK(bench.readFailure() == Error::Code::protocol);
}

TEST_CASE("the service root is no larger than anything else", "[bounds]") {
  BoundsBench bench;
  bench.fake.documents["/"] =
      fmt::format(R"({{"Systems":{{"@odata.id":"/redfish/v1/Systems"}},"Oem":{{"x":[{}]}}}})", manyOf("{}", 1'000'000));
  CHECK(bench.readFailure() == Error::Code::protocol);
}

TEST_CASE("of an error with a million messages some dozens are kept", "[bounds]") {
  const auto body = bmc::redfish::readErrorBody(
      fmt::format(R"({{"error":{{"code":"Base.1.0.GeneralError","@Message.ExtendedInfo":[{}]}}}})",
                  R"({"MessageId":"A.1.0.Broken","Message":"it is broken","Severity":"Critical"},)" +
                      manyOf(R"({"MessageId":"A.B"})", 150'000)));
  CHECK(body.detail == "it is broken");
  CHECK(body.has("Broken"));
  CHECK(body.has("GeneralError"));
  CHECK(body.messageIds.size() <= 64);
  const auto odd = bmc::redfish::readErrorBody(
      fmt::format(R"({{"error":{{"@Message.ExtendedInfo":{{"MessageId":"A.{}"}}}}}})", std::string(1u << 20, 'x')));
  CHECK(odd.messageIds.empty());
  CHECK(odd.detail.size() <= 300);
}

TEST_CASE("pages that together are too large are read as far as they fit", "[bounds][sensors]") {
  BoundsBench bench;
  bench.showSensors();
  const std::string much(1u << 20, 'x');
  int pages = 0;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/s") return std::nullopt;
    ++pages;
    return net::HttpResponse{.status = 200,
                             .body = fmt::format(R"({{"Members":[{{"@odata.id":"/s/{0}","Name":"T{0}","Oem":"{1}",)"
                                                 R"("ReadingType":"Temperature","ReadingUnits":"Cel","Reading":1}}],)"
                                                 R"("Members@odata.nextLink":"/s?page={0}"}})",
                                                 pages, much)};
  };
  const auto found = bench.sensors();
  CHECK(pages == 8);
  CHECK(found.readings.size() == 7);
  REQUIRE(found.unread.size() == 1);
  CHECK_THAT(found.unread.front(), Catch::Contains("too large"));
}

TEST_CASE("a path of a megabyte is said, not asked for, and not kept", "[bounds]") {
  BoundsBench bench;
  const std::string path = "/" + std::string(1u << 20, 'x');
  bench.showSensors();
  SECTION("of leak detection") {
    bench.fake.documents["/c"] =
        fmt::format(R"({{"Thermal":{{"@odata.id":"/t"}},"ThermalSubsystem":{{"@odata.id":"{}"}}}})", path);
    bench.fake.documents["/t"] = R"({"Temperatures":[{"Name":"T","ReadingCelsius":1}]})";
    for (int i = 0; i < 2; ++i) {  // were it kept as one that has none, the second would not say so
      const auto found = bench.sensors();
      REQUIRE(found.unread.size() == 1);
      CHECK_THAT(found.unread.front(), Catch::Contains("a path of 1048577 bytes"));
      CHECK(found.unread.front().size() < 400);
    }
  }
  SECTION("of a manager") {
    bench.fake.documents[boundedSystem] = fmt::format(
        R"({{"Id":"1","Model":"m","PowerState":"On","Links":{{"ManagedBy":[{{"@odata.id":"{}"}}]}}}})", path);
    CHECK(bench.run(bench.driver->identity->identify(bmc::Lane::polling)).model == "m");
  }
  SECTION("of a log, its entries and its own") {
    bench.fake.showLog(0);
    bench.fake.documents[boundedSystem] = R"({"Id":"1","PowerState":"On","LogServices":{"@odata.id":"/logs"}})";
    const auto where = GENERATE(0, 1, 2);
    if (where == 0) bench.fake.documents["/logs"] = fmt::format(R"({{"Members":[{{"@odata.id":"{}"}}]}})", path);
    if (where == 1)
      bench.fake.documents["/sel"] = fmt::format(R"({{"LogEntryType":"SEL","Entries":{{"@odata.id":"{}"}}}})", path);
    if (where == 2)
      bench.fake.documents["/sel"] =
          fmt::format(R"({{"@odata.id":"{}","LogEntryType":"SEL","Entries":{{"@odata.id":"/entries"}}}})", path);
    const auto found = bench.run(bench.driver->logs->readLogs(bmc::Lane::background, {}));
    REQUIRE(found.unread.size() == 1);
    CHECK_THAT(found.unread.front(), Catch::Contains("a path of 1048577 bytes"));
    CHECK(found.tails.empty());
  }
  SECTION("of the system") {
    bench.fake.documents["/redfish/v1/Systems"] = fmt::format(R"({{"Members":[{{"@odata.id":"{}"}}]}})", path);
    CHECK(bench.readFailure() == Error::Code::protocol);
    CHECK_THAT(bench.text, Catch::Contains("a path of 1048577 bytes"));
    CHECK(bench.text.size() < 400);
  }
  SECTION("where a resource has moved") {
    bench.answer(boundedSystem, {.status = 307, .headers = {{"Location", path}}});
    CHECK(bench.readFailure() == Error::Code::protocol);
    CHECK(bench.text.size() < 600);
  }
  CHECK(bench.longest < 1000);
}
