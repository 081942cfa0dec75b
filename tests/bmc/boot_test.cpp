// What a system boots from, set through Redfish (spec/bmc.md §7).
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string systemPath = "/redfish/v1/Systems/1";

struct BootBench : RedfishBench {
  BootBench() { fake.hasMedia = true; }

  bmc::BootLasts set(bmc::BootSetting setting) {
    return run(driver->boot->setBoot(bmc::Lane::operatorCommand, setting, {}));
  }
  bmc::Error::Code failure(bmc::BootSetting setting) {
    return failureOf([&] { static_cast<void>(set(setting)); });
  }
  // Answers PATCHes of the system: by what `judge` says, else as it is.
  void judgePatches(std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> judge) {
    fake.instead = [judge](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      return request.method == "PATCH" ? judge(request) : std::nullopt;
    };
  }
};

const bmc::BootSetting cdOnce{.device = bmc::BootDevice::cdrom}, cdAlways{bmc::BootDevice::cdrom, true, std::nullopt};

}  // namespace

TEST_CASE("a boot device is set for one boot, for all, and taken back") {
  BootBench bench;
  CHECK(bench.set(cdOnce) == bmc::BootLasts::once);
  CHECK(bench.fake.bootTarget == "Cd");
  CHECK(bench.fake.bootEnabled == "Once");
  CHECK(bench.set(cdAlways) == bmc::BootLasts::always);
  CHECK(bench.fake.bootEnabled == "Continuous");
  static_cast<void>(bench.set({}));
  CHECK(bench.fake.bootEnabled == "Disabled");
}

TEST_CASE("a BMC that knows no Continuous is told Once, and the answer says so") {
  BootBench bench;
  bench.judgePatches([](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.body.find("Continuous") == std::string::npos) return std::nullopt;
    return net::HttpResponse{.status = 400, .body = R"({"error":{"message":"no such value"}})"};
  });
  CHECK(bench.set(cdAlways) == bmc::BootLasts::once);
  CHECK(bench.fake.bootEnabled == "Once");
}

TEST_CASE("a host in POST is asked again, and not for ever") {
  BootBench bench;
  int left = 3, tries = 0;
  bench.judgePatches([&](const net::ServerRequest&) -> std::optional<net::HttpResponse> {
    ++tries;
    if (left-- <= 0) return std::nullopt;
    return net::HttpResponse{.status = 400,
                             .body = R"({"error":{"@Message.ExtendedInfo":[{"MessageId":)"
                                     R"("iLO.2.14.UnableToModifyDuringSystemPOST","Message":"in POST"}]}})"};
  });
  const auto begin = bench.clock.now();
  CHECK(bench.set(cdOnce) == bmc::BootLasts::once);
  CHECK(bench.clock.now() - begin == 35s);
  left = 1000;
  tries = 0;
  CHECK(bench.failure({.device = bmc::BootDevice::pxe}) == bmc::Error::Code::refused);
  CHECK(tries == 7);
}

TEST_CASE("a BMC that takes a boot device and shows another is not believed") {
  BootBench bench;
  bench.judgePatches([](const net::ServerRequest&) { return net::HttpResponse{.status = 204}; });
  CHECK(bench.failure(cdOnce) == bmc::Error::Code::notReached);
  CHECK(bench.text.find("shows None Disabled") != std::string::npos);
}

TEST_CASE("a boot device that the BMC shows a moment later is set") {
  BootBench bench;
  bench.judgePatches([&](const net::ServerRequest&) { return net::HttpResponse{.status = 202}; });
  base::TaskGroup later(bench.runtime.executor, base::Log::silent());
  const auto show = [](BootBench& of) -> base::Task<void> {
    co_await of.clock.sleepFor(2s);
    of.fake.bootTarget = "Cd";
    of.fake.bootEnabled = "Once";
  };
  later.spawn("the BMC", show(bench));
  CHECK(bench.set(cdOnce) == bmc::BootLasts::once);
  bench.run(later.close());
}

TEST_CASE("a BMC that does nothing for a while after a power change is asked again") {
  BootBench bench;
  int left = 2;
  bench.judgePatches([&](const net::ServerRequest&) -> std::optional<net::HttpResponse> {
    if (left-- <= 0) return std::nullopt;
    return net::HttpResponse{.status = 400,
                             .body = R"({"error":{"@Message.ExtendedInfo":[{"MessageId":)"
                                     R"("iLO.2.14.InvalidOperationForSystemState","Message":"not now"}]}})"};
  });
  CHECK(bench.set(cdOnce) == bmc::BootLasts::once);
}

TEST_CASE(
    "what the settings object has is written there first, each with its own ETag, and not looked for in the system") {
  BootBench bench;
  const std::string settings = "/redfish/v1/Systems/1/SD";
  bench.fake.moreOfSystem =
      R"(,"@odata.etag":"\"sys\"","@Redfish.Settings":{"SettingsObject":{"@odata.id":")" + settings + R"("}})";
  bench.fake.documents[settings] = R"({"@odata.etag":"\"set\"","Boot":{"BootSourceOverrideTarget":"None"}})";
  std::vector<std::string> told;
  bench.judgePatches([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    told.push_back(fmt::format("{} {} {}", request.path(), request.headers.get("If-Match"), request.body));
    return net::HttpResponse{.status = 204};
  });
  CHECK(bench.set(cdOnce) == bmc::BootLasts::once);
  CHECK(told == std::vector<std::string>{settings + R"( "set" {"Boot":{"BootSourceOverrideTarget":"Cd"}})",
                                         systemPath + R"( "sys" {"Boot":{"BootSourceOverrideEnabled":"Once"}})"});
  bench.fake.documents.erase(settings);  // a link that leads nowhere
  told.clear();
  CHECK(bench.failure({.device = bmc::BootDevice::pxe}) == bmc::Error::Code::notReached);
  REQUIRE(told.size() == 1);
  CHECK(told.front().starts_with(systemPath));
}

TEST_CASE("a permit that ends stops a boot setting before its next write") {
  BootBench bench;
  int writes = 0, over = 0;
  const bmc::WritePermit once{.beforeSending =
                                  [&] {
                                    if (writes++ > 0) throw bmc::Error(bmc::Error::Code::notPermitted, "no more");
                                  },
                              .afterwards = [&] { ++over; }};
  CHECK(bench.failureOf([&] {
    static_cast<void>(bench.run(bench.driver->boot->setBoot(
        bmc::Lane::operatorCommand, {bmc::BootDevice::cdrom, false, bmc::BootMode::legacy}, once)));
  }) == bmc::Error::Code::notPermitted);
  CHECK(bench.fake.journal.size() == 1);
  CHECK(over == 1);
  CHECK(bench.fake.bootTarget == "None");
}

TEST_CASE("how long a boot device holds is what the BMC shows, not what it was told") {
  BootBench bench;
  bench.judgePatches([&](const net::ServerRequest&) -> std::optional<net::HttpResponse> {
    bench.fake.bootTarget = "Cd";
    bench.fake.bootEnabled = "Once";
    return net::HttpResponse{.status = 204};
  });
  CHECK(bench.set(cdAlways) == bmc::BootLasts::once);
}

TEST_CASE("a device that the BMC does not offer is unsupported, and nothing is sent") {
  BootBench bench;
  CHECK(bench.failure({.device = bmc::BootDevice::uefiHttp}) == bmc::Error::Code::unsupported);
  CHECK(bench.fake.journal.empty());
}

TEST_CASE("the mode is set before the device where it differs, and nowhere else") {
  BootBench bench;
  static_cast<void>(bench.set({bmc::BootDevice::cdrom, false, bmc::BootMode::uefi}));
  CHECK(bench.fake.journal.size() == 1);
  bench.fake.journal.clear();
  static_cast<void>(bench.set({bmc::BootDevice::pxe, false, bmc::BootMode::legacy}));
  CHECK(bench.fake.bootMode == "Legacy");
  REQUIRE(bench.fake.journal.size() == 2);
  CHECK_THAT(bench.fake.journal.front(), Catch::Contains("BootSourceOverrideMode"));
  CHECK_THAT(bench.fake.journal.back(), Catch::Contains("BootSourceOverrideTarget"));
}

TEST_CASE("a BMC is given the ETag that it showed, in each form that it may want") {
  BootBench bench;
  std::vector<std::string> given;
  int refusals = 3;
  const int status = GENERATE(412, 428);
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "GET" && request.path() == systemPath) {
      auto document = json::parse(bench.fake.document(systemPath));
      return net::HttpResponse{.status = 200, .headers = {{"ETag", "W/\"a1\""}}, .body = json::serialize(document)};
    }
    if (request.method != "PATCH") return std::nullopt;
    given.push_back(request.headers.get("If-Match"));
    if (refusals-- > 0) return net::HttpResponse{.status = status, .body = "{}"};
    return std::nullopt;
  };
  CHECK(bench.set(cdOnce) == bmc::BootLasts::once);
  CHECK(given == std::vector<std::string>{"W/\"a1\"", "\"a1\"", "", "*"});
}

TEST_CASE("a BMC that shows no ETag and wants one is given any") {
  BootBench bench;
  std::vector<std::string> given;
  bench.judgePatches([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    given.push_back(request.headers.get("If-Match"));
    if (given.size() > 1) return std::nullopt;
    return net::HttpResponse{.status = 400,
                             .body = R"({"error":{"code":"Base.1.13.PreconditionRequired","message":"no"}})"};
  });
  CHECK(bench.set(cdOnce) == bmc::BootLasts::once);
  CHECK(given == std::vector<std::string>{"", "*"});
}

TEST_CASE("a Lenovo that was switched off rests before it is switched on, and no other") {
  BootBench bench;
  const bool isLenovo = GENERATE(true, false);
  if (isLenovo) bench.fake.moreOfSystem = R"(,"Manufacturer":"Lenovo")";
  bench.fake.powerState = "On";
  bench.request(bmc::PowerAction::hardOff);
  const auto off = bench.clock.now();
  bench.request(bmc::PowerAction::on);
  CHECK(bench.clock.now() - off == (isLenovo ? 10s : 0s));
  CHECK(bench.fake.powerState == "On");
}

TEST_CASE("a Lenovo rests from when it is off: it takes its time to shut down, or goes off by itself") {
  BootBench bench;
  bench.fake.moreOfSystem = R"(,"Manufacturer":"Lenovo")";
  bench.fake.powerState = "On";
  bench.run(bench.driver->power->readPower(bmc::Lane::polling));
  bench.clock.advance(1h);
  bench.fake.powerState = "Off";
  REQUIRE(bench.run(bench.driver->power->readPower(bmc::Lane::polling)).power == bmc::Power::off);
  bench.clock.advance(4s);
  const auto asked = bench.clock.now();
  bench.request(bmc::PowerAction::on);
  CHECK(bench.clock.now() - asked == 6s);
  bench.fake.powerState = "Off";  // again, before it was read on
  bench.run(bench.driver->power->readPower(bmc::Lane::polling));
  bench.clock.advance(7s);
  auto later = bench.clock.now();
  bench.request(bmc::PowerAction::on);
  CHECK(bench.clock.now() - later == 3s);
  bench.fake.powerState = "Off";
  bench.run(bench.driver->power->readPower(bmc::Lane::polling));
  bench.clock.advance(10s);
  later = bench.clock.now();
  bench.request(bmc::PowerAction::on);
  CHECK(bench.clock.now() == later);
}

TEST_CASE("a Lenovo that is on its way off is not off: it rests from when it is") {
  BootBench bench;
  bench.fake.moreOfSystem = R"(,"Manufacturer":"Lenovo")";
  bench.fake.powerState = "PoweringOff";
  bench.run(bench.driver->power->readPower(bmc::Lane::polling));
  bench.clock.advance(40s);
  bench.fake.powerState = "Off";
  bench.run(bench.driver->power->readPower(bmc::Lane::polling));
  auto asked = bench.clock.now();
  bench.request(bmc::PowerAction::on);
  CHECK(bench.clock.now() - asked == 10s);
  bench.fake.powerState = "PoweringOff";
  asked = bench.clock.now();
  bench.request(bmc::PowerAction::on);
  CHECK(bench.clock.now() - asked == 10s);
}

TEST_CASE("a Lenovo that hangs at ForceRestart is restarted by a power cycle or not at all, and others as ever") {
  BootBench bench;
  const auto set = [&](const char* model, const char* types) {
    bench.fake.moreOfSystem = fmt::format(R"(,"Manufacturer":"Lenovo","Model":"ThinkSystem {} V3")", model);
    bench.fake.powerState = "On";
    bench.fake.resetTypes = types;
  };
  SECTION("it has one") {
    set("SR675", R"("On","ForceOff","ForceRestart","PowerCycle","GracefulRestart")");
    bench.request(bmc::PowerAction::hardRestart);
    REQUIRE(bench.fake.journal.size() == 1);
    CHECK(bench.fake.journal.front().contains("PowerCycle"));
  }
  SECTION("it has none: a system that hangs would heed no GracefulRestart") {
    set("SR675", R"("On","ForceOff","ForceRestart","GracefulRestart")");
    CHECK(bench.failureOf([&] { bench.request(bmc::PowerAction::hardRestart); }) == bmc::Error::Code::unsupported);
    CHECK(bench.fake.journal.empty());
  }
  SECTION("another") {
    set("SR650", R"("On","ForceOff","ForceRestart","GracefulRestart")");
    bench.request(bmc::PowerAction::hardRestart);
    CHECK(bench.fake.journal.front().contains("ForceRestart"));
  }
}

TEST_CASE("whose BMC it is is told by the name of its Oem, where it names no vendor, and where Lenovo has AMI's") {
  BootBench bench;
  const auto [root, wantsAll] = GENERATE(table<std::string, bool>({
      {R"("Oem":{"Ami":{}})", true},
      {R"("Vendor":"Lenovo","Oem":{"Ami":{}})", true},
      {R"("Vendor":"Lenovo","Oem":{"Lenovo":{}})", false},
      {R"("Vendor":"HPE","Oem":{"Ami":{}})", false},
      {R"("Oem":{"Something":{}})", false},
  }));
  bench.answer("/redfish/v1/",
               {.status = 200, .body = "{" + root + R"(,"Systems":{"@odata.id":"/redfish/v1/Systems"}})"});
  std::string sent;
  const auto usual = bench.fake.instead;
  bench.fake.instead = [&, usual](const net::ServerRequest& request) {
    if (request.method == "PATCH") sent = request.body;
    return usual(request);
  };
  static_cast<void>(bench.set(cdOnce));
  CHECK((sent.find("BootSourceOverrideMode") != std::string::npos) == wantsAll);
}

TEST_CASE("a settings object that cannot be read now is none that is not there: nothing goes to the system instead") {
  BootBench bench;
  bench.fake.moreOfSystem = R"(,"@Redfish.Settings":{"SettingsObject":{"@odata.id":"/settings"}})";
  int patches = 0;
  const int status = GENERATE(503, 404);
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    patches += request.method == "PATCH" ? 1 : 0;
    if (request.path() == "/settings") return net::HttpResponse{.status = status, .body = "{}"};
    return std::nullopt;
  };
  if (status == 404) {
    CHECK(bench.set(cdOnce) == bmc::BootLasts::once);
    CHECK(patches == 1);
  } else {
    CHECK(bench.failure(cdOnce) == bmc::Error::Code::busy);
    CHECK(patches == 0);
  }
}

TEST_CASE("a settings object that takes Continuous and shows Once is believed") {
  BootBench bench;
  bench.fake.moreOfSystem = R"(,"@Redfish.Settings":{"SettingsObject":{"@odata.id":"/settings"}})";
  const std::string kept = GENERATE("Once", "Continuous");
  std::string shown = R"({"Boot":{"BootSourceOverrideTarget":"None","BootSourceOverrideEnabled":"Disabled"}})";
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/settings") return std::nullopt;
    if (request.method == "PATCH")
      shown = fmt::format(R"({{"Boot":{{"BootSourceOverrideTarget":"Cd","BootSourceOverrideEnabled":"{}"}}}})", kept);
    return net::HttpResponse{.status = 200, .body = shown};
  };
  CHECK(bench.set(cdAlways) == (kept == "Once" ? bmc::BootLasts::once : bmc::BootLasts::always));
}

TEST_CASE("no button is pressed while the power is on its way") {
  BootBench bench;
  bench.fake.resetTypes = R"("On","ForceOff","PushPowerButton")";
  bench.fake.powerState = GENERATE("PoweringOn", "PoweringOff");
  CHECK(bench.failureOf([&] { bench.request(bmc::PowerAction::softOff); }) == bmc::Error::Code::unsupported);
  CHECK(bench.fake.journal.empty());
}
