// What sensors say (spec/bmc.md §5, §15.7).
#include "bmc/ipmi/sensors.hpp"
#include "bmc/sensor_list.hpp"
#include "json/describe.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Error;
using bmc::Lane;

namespace {

constexpr auto chassisOne = "/redfish/v1/Chassis/1";

struct SensorBench : tests::RedfishBench {
  SensorBench() {
    auto& documents = fake.documents;
    documents["/redfish/v1/Systems/1"] =
        R"({"Id":"1","PowerState":"On","Links":{"Chassis":[{"@odata.id":"/redfish/v1/Chassis/1"}]}})";
    documents[chassisOne] = R"({"Thermal":{"@odata.id":"/t"},"Power":{"@odata.id":"/p"},"Sensors":{"@odata.id":"/s"}})";
    documents["/t"] = R"({"Temperatures":[
      {"Name":" Inlet ","ReadingCelsius":23.5,"PhysicalContext":"Intake","Status":{"State":"Enabled","Health":"OK"}},
      {"MemberId":"1","ReadingCelsius":91,"Status":{"Health":"Critical"}},
      {"Name":"Absent","ReadingCelsius":0,"Status":{"State":"Absent"}},{"Name":"Null","ReadingCelsius":null},
      {"Name":"Text","ReadingCelsius":"hot"}],
      "Fans":[{"FanName":"Fan","Reading":7200,"ReadingUnits":"RPM"},{"Name":"Fan","Reading":40,"ReadingUnits":"Percent",
      "Status":{"State":"Enabled","Health":"Warning"}}]})";
    documents["/p"] = R"({"PowerControl":[{"MemberId":"0","PowerConsumedWatts":240}],
      "PowerSupplies":[{"Name":"PSU1","PowerInputWatts":130,"LastPowerOutputWatts":120,"LineInputVoltage":230,
      "Status":{"State":"Enabled","Health":"OK"}},{"Name":"PSU2","Status":{"State":"Absent"},"PowerInputWatts":0}],
      "Voltages":[{"Name":"P12V","ReadingVolts":12.1}]})";
    documents["/s"] = R"({"Members":[{"@odata.id":"/s/1"},{"@odata.id":"/s/2"}]})";
    documents["/s/1"] = R"({"Id":"t","Name":"GPU 1","ReadingType":"Temperature","ReadingUnits":"Cel","Reading":55})";
    documents["/s/2"] = R"({"Id":"x","Name":"Humidity","ReadingType":"Humidity","ReadingUnits":"%","Reading":40})";
    fake.before = [this](const net::ServerRequest& request) -> base::Task<void> {
      asked.emplace_back(request.target);
      co_return;
    };
  }
  bmc::Sensors take() { return run(driver->sensors->readSensors(Lane::polling)).sensors; }
  // Without chassis-wide resources, as newer BMCs are.
  void onlySensors() { fake.documents[chassisOne] = R"({"Sensors":{"@odata.id":"/s"}})"; }
  void expanding() {
    fake.documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},
      "Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}},
      "ProtocolFeaturesSupported":{"ExpandQuery":{"Levels":true}}})";
  }

  std::vector<std::string> asked;
};

}  // namespace

TEST_CASE("sensors are read from Thermal and Power: two requests a chassis", "[sensors]") {
  SensorBench bench;
  bench.read();
  bench.asked.clear();
  const auto found = bench.take();
  CHECK(found.readings == std::vector<bmc::Sensor>{{"Inlet", "temperature", "Cel", 23.5, "Intake", "OK"},
                                                   {"Temperature 1", "temperature", "Cel", 91, "", "Critical"},
                                                   {"Fan", "fan", "RPM", 7200, "", ""},
                                                   {"Fan 2", "fan", "%", 40, "", "Warning"},
                                                   {"Consumption 0", "power", "W", 240, "", ""},
                                                   {"PSU1 input", "power", "W", 130, "PowerSupply", "OK"},
                                                   {"PSU1 output", "power", "W", 120, "PowerSupply", "OK"},
                                                   {"PSU1 input", "voltage", "V", 230, "PowerSupply", "OK"},
                                                   {"P12V", "voltage", "V", 12.1, "", ""}});
  CHECK(found.unread.empty());
  CHECK(bench.asked == std::vector<std::string>{"/redfish/v1/Systems/1", chassisOne, "/t", "/p"});
}

TEST_CASE("fans and power supplies are told with their health, those that have failed too", "[sensors]") {
  SensorBench bench;
  bench.fake.documents["/t"] = R"({"Fans":[
    {"@odata.id":"/t#/Fans/0","Name":"Fan 1","Reading":7200,"Status":{"State":"Enabled","Health":"OK"}},
    {"@odata.id":"/t#/Fans/1","Name":"Fan 2","Reading":null,"Status":{"State":"UnavailableOffline","Health":"Critical"}},
    {"Name":"Fan 3","Status":{"State":"Absent"}},{"Name":"Fan 4"}],
    "Redundancy":[{"@odata.id":"/t#/Redundancy/0","Name":"Fans","Status":{"State":"Enabled","Health":"Warning"}}]})";
  bench.fake.documents["/p"] = R"({"PowerSupplies":[
    {"MemberId":"0","PowerInputWatts":120,"Status":{"State":"Enabled","Health":"OK"}},
    {"MemberId":"0","PowerInputWatts":null,"Status":{"State":"Disabled","Health":"Critical"}}],
    "Redundancy":[{"Status":{"Health":"Critical"}},{"Name":"None"}]})";
  const auto found = bench.take();
  CHECK(found.readings.size() == 2);
  CHECK(found.parts == std::vector<bmc::Component>{{"/t#/Fans/0", "fan", "Fan 1", "Enabled", "OK"},
                                                   {"/t#/Fans/1", "fan", "Fan 2", "UnavailableOffline", "Critical"},
                                                   {"/t#/Redundancy/0", "redundancy", "Fans", "Enabled", "Warning"},
                                                   {"", "power-supply", "Power supply 0", "Enabled", "OK"},
                                                   {"", "power-supply", "Power supply 0 2", "Disabled", "Critical"},
                                                   {"", "redundancy", "Power supply redundancy", "", "Critical"}});
  CHECK(json::decode<bmc::Sensors>(json::encode(found)) == found);
}

TEST_CASE("fans and power supplies of a chassis without Thermal and Power are those of its subsystems", "[sensors]") {
  SensorBench bench;
  auto& documents = bench.fake.documents;
  documents[chassisOne] = R"({"Sensors":{"@odata.id":"/s"},"ThermalSubsystem":{"@odata.id":"/ts"},
    "PowerSubsystem":{"@odata.id":"/ps"}})";
  documents["/ts"] = R"({"Fans":{"@odata.id":"/f"},"FanRedundancy":[{"Status":{"Health":"OK"}}]})";
  documents["/f"] = R"({"Members":[{"@odata.id":"/f/0"}]})";
  documents["/f/0"] = R"({"@odata.id":"/f/0","Id":"0","Name":"Fan A","Status":{"State":"Enabled","Health":"OK"}})";
  documents["/ps"] =
      R"({"PowerSupplies":{"@odata.id":"/u"},"PowerSupplyRedundancy":[{"Status":{"Health":"Warning"}}]})";
  documents["/u"] = R"({"Members":[{"@odata.id":"/u/0"},{"@odata.id":"/u/1"}]})";
  documents["/u/0"] = R"({"@odata.id":"/u/0","Id":"0","Status":{"State":"Enabled","Health":"Critical"}})";
  documents["/u/1"] = R"({"@odata.id":"/u/1","Id":"1","Status":{"State":"Absent"}})";
  const auto found = bench.take();
  CHECK(found.readings == std::vector<bmc::Sensor>{{"GPU 1", "temperature", "Cel", 55, "", ""}});
  CHECK(found.parts == std::vector<bmc::Component>{{"/f/0", "fan", "Fan A", "Enabled", "OK"},
                                                   {"", "redundancy", "Fan redundancy", "", "OK"},
                                                   {"/u/0", "power-supply", "Power supply 0", "Enabled", "Critical"},
                                                   {"", "redundancy", "Power supply redundancy", "", "Warning"}});
  CHECK(found.unread.empty());
}

TEST_CASE("where there are Thermal and Power, the subsystems tell of no fans and supplies, even when these fail",
          "[sensors]") {
  SensorBench bench;
  bench.fake.documents[chassisOne] = R"({"Thermal":{"@odata.id":"/t"},"Power":{"@odata.id":"/p"},
    "ThermalSubsystem":{"@odata.id":"/ts"},"PowerSubsystem":{"@odata.id":"/ps"}})";
  bench.answer("/p", {.status = 503, .headers = {}, .body = "{}"});
  bench.fake.documents["/ts"] = R"({"Fans":{"@odata.id":"/f"}})";
  const auto found = bench.take();
  CHECK(found.unread.size() == 1);
  CHECK(std::ranges::count(bench.asked, "/ts") == 1);  // for leak detectors
  CHECK(std::ranges::count(bench.asked, "/f") + std::ranges::count(bench.asked, "/ps") == 0);
}

TEST_CASE("no more fans are asked for singly than are told", "[sensors]") {
  SensorBench bench;
  auto& documents = bench.fake.documents;
  std::string links, fans;
  for (int i = 0; i < 3; ++i) links += fmt::format(R"({}{{"@odata.id":"/c/{}"}})", i == 0 ? "" : ",", i);
  for (int i = 0; i < 100; ++i) {
    fans += fmt::format(R"({}{{"@odata.id":"/f/{}"}})", i == 0 ? "" : ",", i);
    documents[fmt::format("/f/{}", i)] = R"({"Name":"Fan","Status":{"Health":"OK"}})";
  }
  documents["/redfish/v1/Systems/1"] = fmt::format(R"({{"Id":"1","Links":{{"Chassis":[{}]}}}})", links);
  for (int i = 0; i < 3; ++i) documents[fmt::format("/c/{}", i)] = R"({"ThermalSubsystem":{"@odata.id":"/ts"}})";
  documents["/ts"] = R"({"Fans":{"@odata.id":"/f"}})";
  documents["/f"] = fmt::format(R"({{"Members":[{}]}})", fans);
  CHECK(bench.take().parts.size() == bmc::mostParts);
  CHECK(std::ranges::count_if(bench.asked, [](const auto& path) { return path.starts_with("/f/"); }) ==
        static_cast<std::ptrdiff_t>(bmc::mostParts));
}

TEST_CASE("the thresholds of a reading come with it, in the old form and in the new one", "[sensors]") {
  SensorBench bench;
  SECTION("Thermal and Power") {
    bench.fake.documents["/t"] = R"({"Temperatures":[{"Name":"Inlet","ReadingCelsius":23,"UpperThresholdNonCritical":38,
      "UpperThresholdCritical":42.5,"UpperThresholdFatal":50,"LowerThresholdNonCritical":5,"LowerThresholdCritical":2,
      "LowerThresholdFatal":-7},{"Name":"Odd","ReadingCelsius":1,"LowerThresholdCritical":null,
      "UpperThresholdFatal":"hot"}],"Fans":[{"Name":"F","Reading":7200,"LowerThresholdCritical":600}]})";
    bench.fake.documents["/p"] = R"({"Voltages":[{"Name":"V","ReadingVolts":12,"UpperThresholdCritical":13}]})";
  }
  SECTION("Sensors") {
    bench.onlySensors();
    auto& documents = bench.fake.documents;
    documents["/s"] = R"({"Members":[{"@odata.id":"/s/1"},{"@odata.id":"/s/2"},{"@odata.id":"/s/3"},
      {"@odata.id":"/s/4"}]})";
    documents["/s/1"] = R"({"Name":"Inlet","ReadingType":"Temperature","ReadingUnits":"Cel","Reading":23,
      "Thresholds":{"UpperCaution":{"Reading":38},"UpperCritical":{"Reading":42.5},"UpperFatal":{"Reading":50},
      "LowerCaution":{"Reading":5},"LowerCritical":{"Reading":2},"LowerFatal":{"Reading":-7}}})";
    documents["/s/2"] = R"({"Name":"Odd","ReadingType":"Temperature","ReadingUnits":"Cel","Reading":1,
      "Thresholds":{"LowerCritical":{"Reading":null},"UpperFatal":{},"LowerCaution":7}})";
    documents["/s/3"] = R"({"Name":"F","ReadingType":"Rotational","ReadingUnits":"RPM","Reading":7200,
      "Thresholds":{"LowerCritical":{"Reading":600}}})";
    documents["/s/4"] = R"({"Name":"V","ReadingType":"Voltage","ReadingUnits":"V","Reading":12,
      "Thresholds":{"UpperCritical":{"Reading":13}}})";
  }
  const auto found = bench.take().readings;
  REQUIRE(found.size() == 4);
  CHECK(found[0].thresholds == bmc::Thresholds{-7, 2, 5, 38, 42.5, 50});
  CHECK(found[1].thresholds == bmc::Thresholds{});
  CHECK(found[2].thresholds == bmc::Thresholds{.lowerCritical = 600});
  CHECK(found[3].thresholds == bmc::Thresholds{.upperCritical = 13});
  CHECK(json::serialize(json::encode(found[0].thresholds)) == R"({"lf":-7,"lc":2,"ln":5,"un":38,"uc":42.5,"uf":50})");
  CHECK(json::serialize(json::encode(found[1])).find("thresholds") == std::string::npos);
}

TEST_CASE("so many fans and power supplies are told as fit, and their names hold no password", "[sensors]") {
  SensorBench bench;
  std::string many;
  for (int i = 0; i < 100; ++i)
    many +=
        fmt::format(R"({}{{"@odata.id":"/{}s3cret","Name":"{}s3cret","Status":{{"State":"s3cret","Health":"OK"}}}})",
                    i == 0 ? "" : ",", std::string(2000, 'y'), std::string(61 + i, 'x'));
  bench.fake.documents["/t"] = fmt::format(R"({{"Fans":[{}]}})", many);
  const auto found = bench.take();
  CHECK(found.parts.size() == bmc::mostParts);
  CHECK(found.unread == std::vector<std::string>{"more than 64 parts: the rest was left out"});
  const auto text = json::serialize(json::encode(found));
  CHECK(text.find("s3") == std::string::npos);
  CHECK(text.size() < 40'000);
  CHECK(std::ranges::all_of(found.parts, [](const auto& part) { return part.name.size() <= 67; }));  // "…x 12"
}

TEST_CASE("a chassis that has only Sensors is read by these, in one request where collections expand", "[sensors]") {
  SensorBench bench;
  bench.onlySensors();
  bool isExpanded = false;
  SECTION("one by one") {}
  SECTION("that give nothing in the old form") {
    bench.fake.documents[chassisOne] = R"({"Thermal":{"@odata.id":"/t"},"Sensors":{"@odata.id":"/s"}})";
    bench.fake.documents["/t"] = "{}";
  }
  SECTION("expanded") {
    isExpanded = true;
    bench.expanding();
    bench.fake.documents["/s"] = R"({"Members":[{"@odata.id":"/s/1","Name":"GPU 1","ReadingType":"Temperature",
      "ReadingUnits":"Cel","Reading":55},{"@odata.id":"/s/2","Name":"H","ReadingType":"Humidity","Reading":4}]})";
    bench.fake.documents.erase("/s/1");
  }
  SECTION("said to be expanded, and not") { bench.expanding(); }
  bench.read();
  bench.asked.clear();
  CHECK(bench.take() == bmc::Sensors{.readings = {{"GPU 1", "temperature", "Cel", 55, "", ""}}});
  if (isExpanded)
    CHECK(bench.asked == std::vector<std::string>{"/redfish/v1/Systems/1", chassisOne, "/s?$expand=.($levels=1)"});
  else
    CHECK(std::ranges::count(bench.asked, "/s/1") == 1);
}

TEST_CASE("what a BMC does not show of its sensors is named, and the rest is read", "[sensors]") {
  SensorBench bench;
  bench.answer("/p", {.status = 404, .headers = {}, .body = R"({"error":{"message":"no power"}})"});
  const auto found = bench.take();
  CHECK(found.readings.size() == 4);
  CHECK(found.unread == std::vector<std::string>{"https://bmc.example/p: HTTP 404: no power"});
}

TEST_CASE("where nothing can be read there is no reading, not an empty one", "[sensors]") {
  SensorBench bench;
  bench.answer("/redfish/v1/Systems/1", {.status = GENERATE(404, 503), .headers = {}, .body = "{}"});
  CHECK(bench.failureOf([&] { bench.take(); }) == Error::Code::protocol);
}

TEST_CASE("a sensor's name and place hold no password, whole or in part", "[sensors]") {
  SensorBench bench;
  bench.fake.documents["/t"] = fmt::format(
      R"({{"Temperatures":[{{"Name":"a s3cret","PhysicalContext":"s3cret","ReadingCelsius":1}},
      {{"Name":"{}s3cret","ReadingCelsius":1}}]}})",
      std::string(61, 'x'));
  const auto found = bench.take().readings;
  REQUIRE(found.size() >= 2);
  CHECK(found[0].name == "a ***");
  CHECK(found[0].context == "***");
  CHECK(found[1].name.find("s3") == std::string::npos);
  CHECK(found[1].name.size() <= 64);
}

TEST_CASE("each sensor has a name of its own among those of its kind", "[sensors]") {
  bmc::SensorList list;
  for (const auto* name : {"Fan", "Fan 2", "Fan", "Fan"}) list.add({name, "fan", "RPM", 1, "", ""});
  list.add({"Fan", "voltage", "V", 1, "", ""});
  std::vector<std::string> names;
  for (const auto& sensor : list.take().readings) names.push_back(sensor.name);
  CHECK(names == std::vector<std::string>{"Fan", "Fan 2", "Fan 3", "Fan 4", "Fan"});
}

TEST_CASE("chassis that were not looked at are counted", "[sensors]") {
  SensorBench bench;
  std::string links;
  for (int i = 0; i < 17; ++i) links += fmt::format(R"({}{{"@odata.id":"/c/{}"}})", i == 0 ? "" : ",", i);
  for (int i = 0; i < 17; ++i) bench.fake.documents[fmt::format("/c/{}", i)] = "{}";
  bench.fake.documents["/redfish/v1/Systems/1"] = fmt::format(R"({{"Id":"1","Links":{{"Chassis":[{}]}}}})", links);
  CHECK(bench.take().unread == std::vector<std::string>{"17 chassis: only 16 were looked at"});
}

TEST_CASE("a BMC without chassis, or with one of another shape, has no sensors", "[sensors]") {
  SensorBench bench;
  bench.fake.documents["/redfish/v1/Systems/1"] =
      GENERATE(R"({"Id":"1"})", R"({"Id":"1","Links":{"Chassis":[]}})", R"({"Id":"1","Links":"none"})");
  CHECK(bench.take() == bmc::Sensors{});
}

TEST_CASE("a BMC that stops answering ends the reading of sensors", "[sensors]") {
  SensorBench bench;
  bench.answer("/t", {.status = 0});
  CHECK(bench.failureOf([&] { bench.take(); }) == Error::Code::timeout);
}

TEST_CASE("so many sensors are read as fit, whatever a BMC lists", "[sensors]") {
  SensorBench bench;
  SECTION("in one answer") {
    std::string many;
    for (int i = 0; i < 2000; ++i)
      many += fmt::format(R"({}{{"Name":"{}","ReadingCelsius":1}})", i == 0 ? "" : ",", std::string(200, 'x'));
    bench.fake.documents["/t"] = fmt::format(R"({{"Temperatures":[{}]}})", many);
    const auto found = bench.take();
    CHECK(found.readings.size() == bmc::mostSensors);
    CHECK(found.readings.front().name.size() == 64);
    CHECK(found.unread == std::vector<std::string>{"more than 256 sensors: the rest was left out"});
  }
  SECTION("one by one") {
    bench.onlySensors();
    std::string many;
    for (int i = 0; i < 500; ++i) {
      many += fmt::format(R"({}{{"@odata.id":"/s/n{}"}})", i == 0 ? "" : ",", i);
      bench.fake.documents[fmt::format("/s/n{}", i)] =
          fmt::format(R"({{"Name":"T{}","ReadingType":"Temperature","ReadingUnits":"Cel","Reading":1}})", i);
    }
    bench.fake.documents["/s"] = fmt::format(R"({{"Members":[{}]}})", many);
    const auto found = bench.take();
    CHECK(found.readings.size() == 64);
    CHECK(found.unread.size() == 1);
  }
}

TEST_CASE("rows of ipmitool with a reading and a unit are sensors", "[sensors][ipmi]") {
  const auto found = bmc::ipmi::parseSensors(
      "MBTemp,48,degrees C,ok\nFan 1,7200,RPM,cr\nVCore,1.05,Volts,nc\nTotal, all,240,Watts,ok\nSubTemp,,,ns\n"
      "mm1pres,02h,ns,8.1,No Reading\nHumidity,40,percent,ok\nPSU2 FAN "
      "duty,40,percent,ok\nAir,3,CFM,ok\nOdd,nan,Volts,ok\n,5,Volts,ok\n,,\n\n"
      "Get SDR 0000 command failed: Requested sensor, data, or record not found\nMBTemp,50,degrees C,unc");
  CHECK(found == bmc::Sensors{.readings = {{"MBTemp", "temperature", "Cel", 48, "", "OK"},
                                           {"Fan 1", "fan", "RPM", 7200, "", "Critical"},
                                           {"VCore", "voltage", "V", 1.05, "", "Warning"},
                                           {"Total, all", "power", "W", 240, "", "OK"},
                                           {"PSU2 FAN duty", "fan", "%", 40, "", "OK"},
                                           {"MBTemp 2", "temperature", "Cel", 50, "", "Warning"}}});
}

TEST_CASE("a repository that ipmitool did not read, or not to its end, is no server without sensors",
          "[sensors][ipmi]") {
  const auto unread = [](std::string_view output, std::string_view said) {
    return bmc::ipmi::parseSensors(output, said).unread;
  };
  using Notes = std::vector<std::string>;
  CHECK(unread("", "") == Notes{"sdr elist: ipmitool tells of no sensor"});
  CHECK(unread("garbage\n", "") == Notes{"sdr elist: ipmitool tells of no sensor"});
  const auto* row = GENERATE("MBTemp,48,degrees C,ok\n", "SubTemp,,,ns\n", "mm1pres,02h,ns,8.1,No Reading\n", "");
  const auto* trouble = GENERATE("Get SDR 0012 command failed: Node busy", "Unable to renew SDR reservation",
                                 "Error obtaining SDR info: Timeout", "ipmitool: ipmi_sdr_get_record() failed",
                                 "Err in cmd get sensor sdr info");
  CHECK(unread(row, fmt::format("Get HPM.x Capabilities request failed, compcode = d4\n{}\n", trouble)) ==
        Notes{fmt::format("sdr elist: {}", trouble)});
  CHECK(unread("SubTemp,,,ns\n", "Get HPM.x Capabilities request failed, compcode = d4\n").empty());
}

TEST_CASE("an empty repository is told among the sensors, and is no trouble of ipmitool") {
  constexpr const char* empty = "Get SDR 0000 command failed: Requested sensor, data, or record not found\n";
  CHECK(bmc::ipmi::sdrTroubleIn(empty).empty());
  CHECK_FALSE(
      bmc::ipmi::sdrTroubleIn("Get SDR 0012 command failed: Requested sensor, data, or record not found\n").empty());
  CHECK(bmc::ipmi::parseSensors("", empty).unread ==
        std::vector<std::string>{"sdr elist: ipmitool tells of no sensor"});
}
