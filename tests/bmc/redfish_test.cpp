#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Power;
using bmc::PowerAction;
using tests::RedfishBench;

namespace {

net::HttpResponse refusal(int status, std::string_view messageId, std::string_view message) {
  return {.status = status,
          .headers = {},
          .body = fmt::format(R"({{"error":{{"@Message.ExtendedInfo":[{{"MessageId":"Base.1.8.{}","Message":"{}",)"
                              R"("Severity":"Critical"}}]}}}})",
                              messageId, message)};
}

constexpr auto resetOn = R"(POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset {"ResetType":"On"})";

}  // namespace

TEST_CASE("a power-on is sent once and proved by a later read") {
  RedfishBench bench;
  const auto change = bench.change(PowerAction::on);
  CHECK(change.commandSent);
  CHECK(change.reading.power == Power::on);
  CHECK(bench.fake.journal == std::vector<std::string>{resetOn});
}

TEST_CASE("a host that is there already is sent nothing") {
  RedfishBench bench;
  CHECK_FALSE(bench.change(PowerAction::hardOff).commandSent);
  CHECK(bench.fake.journal.empty());
}

TEST_CASE("a BMC that accepts and does nothing is found out, and not asked again") {
  RedfishBench bench;
  bench.fake.obeys = false;
  CHECK(bench.changeFailure(PowerAction::on) == Error::Code::notReached);
  CHECK(bench.fake.journal.size() == 1);
  CHECK(bench.text.find("not On after 120 s") != std::string::npos);
}

TEST_CASE("a hard reboot is off, proved, then on") {
  RedfishBench bench;
  bench.fake.powerState = "On";
  bench.change(PowerAction::hardReboot);
  REQUIRE(bench.fake.journal.size() == 2);
  CHECK(bench.fake.journal[0].find("ForceOff") != std::string::npos);
  CHECK(bench.fake.journal[1] == resetOn);
}

TEST_CASE("a host on its way to off is not off: it is waited for, and not asked again") {
  RedfishBench bench;
  bench.fake.powerState = "PoweringOff";
  bench.fake.before = [&bench, end = bench.clock.now() + 30s](const net::ServerRequest&) -> base::Task<void> {
    if (bench.clock.now() >= end) bench.fake.powerState = "Off";
    co_return;
  };
  const auto change = bench.change(PowerAction::hardOff);
  CHECK_FALSE(change.commandSent);
  CHECK(change.reading.raw == "Off");
  CHECK(bench.fake.journal.empty());
}

TEST_CASE("a host that never gets further than on its way has not arrived") {
  RedfishBench bench;
  bench.fake.powerState = "PoweringOff";
  CHECK(bench.changeFailure(PowerAction::hardOff) == Error::Code::notReached);
}

TEST_CASE("a BMC without a soft reboot says so: a host that must not be off is not shut down instead") {
  RedfishBench bench;
  bench.fake.powerState = "On";  // it allows no GracefulRestart
  CHECK(bench.changeFailure(PowerAction::softReboot) == Error::Code::unsupported);
  CHECK(bench.fake.journal.empty());
}

TEST_CASE("an iDRAC that is still settling is asked again") {
  RedfishBench bench;
  for (int i = 0; i < 3; ++i) bench.fake.refusals.push_back(refusal(409, "ActionParameterValueConflict", "not now"));
  CHECK(bench.change(PowerAction::on).reading.power == Power::on);
  CHECK(bench.fake.journal.size() == 4);
}

TEST_CASE("a refusal because the host is there already is no failure") {
  RedfishBench bench;
  bench.fake.refusals.push_back(refusal(409, "ActionNotSupported", "The host is already powered on"));
  bench.request(PowerAction::on);
  CHECK(bench.fake.journal.size() == 1);
}

TEST_CASE("a refusal of what has come true meanwhile is no failure") {
  RedfishBench bench;
  bench.fake.refusals.push_back(refusal(400, "GeneralError", "no"));
  bench.fake.onReset = [&bench] { bench.fake.powerState = "On"; };
  bench.request(PowerAction::on);
  CHECK(bench.fake.journal.size() == 1);
}

TEST_CASE("a refused restart of a host that is on stays refused") {
  RedfishBench bench;
  bench.fake.powerState = "On";
  bench.fake.refusals.push_back(refusal(409, "GeneralError", "The host is powered on"));
  CHECK(bench.failureOf([&] { bench.request(PowerAction::hardReboot); }) == Error::Code::refused);
}

TEST_CASE("a wrong password is told apart and never sent twice") {
  RedfishBench bench("wrong");
  CHECK(bench.changeFailure(PowerAction::on) == Error::Code::authenticationFailed);
  CHECK(bench.changeFailure(PowerAction::on) == Error::Code::lockedOut);
  CHECK(bench.fake.logins == 1);
  CHECK(bench.text.find("wrong") == std::string::npos);
}

TEST_CASE("an expired session is renewed once") {
  RedfishBench bench;
  bench.read();
  bench.fake.expireSessions();
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 2);
}

TEST_CASE("a service without sessions gets Basic") {
  RedfishBench bench;
  bench.fake.hasSessions = false;
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 0);
}

TEST_CASE("health is the rollup") {
  RedfishBench bench;
  CHECK(bench.run(bench.driver->health->readHealth(bmc::Lane::polling)).health == bmc::Health::warning);
}

TEST_CASE("a power reading brings the health along: both are in one answer") {
  RedfishBench bench;
  CHECK(bench.read().health == bmc::Health::warning);
}

TEST_CASE("broken answers are protocol errors that name the place") {
  RedfishBench bench;
  const auto [path, body] = GENERATE(table<std::string, std::string>({
      {"/redfish/v1/Systems/1", "<html>"},
      {"/redfish/v1/Systems/1", R"({"PowerState":7})"},
      {"/redfish/v1/Systems", R"({"Members":[]})"},
      {"/redfish/v1/Systems", R"({"Members":"none"})"},
  }));
  bench.fake.documents[path] = body;
  CHECK(bench.changeFailure(PowerAction::on) == Error::Code::protocol);
}

TEST_CASE("among several systems the one that is a host is taken, or the user is asked") {
  RedfishBench bench;
  bench.fake.documents["/redfish/v1/Systems"] =
      R"({"Members":[{"@odata.id":"/redfish/v1/Systems/HGX_Baseboard_0"},{"@odata.id":"/redfish/v1/Systems/1"}]})";
  bench.fake.documents["/redfish/v1/Systems/HGX_Baseboard_0"] = R"({"Id":"HGX_Baseboard_0"})";
  SECTION("the host") { CHECK(bench.read().power == Power::off); }
  SECTION("beside a baseboard that is off") {
    bench.answer("/redfish/v1/Systems/HGX_Baseboard_0", {.status = 503, .headers = {}, .body = ""});
    CHECK(bench.read().power == Power::off);
  }
  SECTION("on the second page") {
    bench.fake.documents["/redfish/v1/Systems"] = R"({"Members":[{"@odata.id":"/redfish/v1/Systems/HGX_Baseboard_0"}],)"
                                                  R"("Members@odata.nextLink":"/redfish/v1/Systems/page2"})";
    bench.fake.documents["/redfish/v1/Systems/page2"] = R"({"Members":[{"@odata.id":"/redfish/v1/Systems/1"}]})";
    CHECK(bench.read().power == Power::off);
  }
  SECTION("nothing that looks like one") {
    bench.fake.documents["/redfish/v1/Systems/1"] = R"({"Id":"other"})";
    CHECK(bench.changeFailure(PowerAction::on) == Error::Code::ambiguousSystem);
    CHECK(bench.text.find("/redfish/v1/Systems/HGX_Baseboard_0") != std::string::npos);
  }
}

TEST_CASE("boot progress is Redfish's word, of a host that is on", "[redfish]") {
  const auto [power, more, told] = GENERATE(
      table<std::string, std::string, std::string>({{"On", R"("LastState":"OSRunning")", "OSRunning"},
                                                    {"On", R"("LastState":"None")", ""},
                                                    {"On", R"("LastState":"OEM","OemLastState":"Grub")", "Grub"},
                                                    {"On", R"("LastState":7)", "7"},
                                                    {"Off", R"("LastState":"OSRunning")", ""}}));
  RedfishBench bench;
  bench.fake.powerState = power;
  bench.fake.moreOfSystem = fmt::format(R"(,"BootProgress":{{{}}})", more);
  CHECK(bench.read().bootProgress == told);
}
