// What an operator asks a BMC for once: an NMI, an AC cycle (spec/bmc.md §6.3, §6.6).
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Power;
using bmc::PowerAction;
using tests::RedfishBench;

namespace {

constexpr auto forceOff = R"(POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset {"ResetType":"ForceOff"})";

struct Machine : RedfishBench {
  Machine() { fake.powerState = "On"; }

  // A write whose path or body holds this word is answered with `status`, and the BMC is away for `away` then.
  void goesAt(const std::string& word, base::Duration away, int status = 204) {
    fake.instead = [=, this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (clock.now() < silentUntil) return net::HttpResponse{.status = 0};
      const bool isIt = request.method == "POST" && (request.target + request.body).find(word) != std::string::npos;
      if (!isIt) return std::nullopt;
      silentUntil = clock.now() + away;
      return net::HttpResponse{.status = status};
    };
  }
  base::MonoTime silentUntil{};
};

}  // namespace

TEST_CASE("an NMI is sent once, to a host that is on, and changes nothing that is read") {
  Machine machine;
  machine.fake.resetTypes = R"("On","ForceOff","Nmi")";
  const auto change = machine.change(PowerAction::nmi);
  CHECK(change.commandSent);
  CHECK(change.reading.power == Power::on);
  CHECK(machine.fake.journal ==
        std::vector<std::string>{R"(POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset {"ResetType":"Nmi"})"});
}

TEST_CASE("an NMI that cannot be, or whose answer is lost, is not sent again") {
  Machine machine;
  machine.fake.resetTypes = R"("On","ForceOff","Nmi")";
  SECTION("the host is off") {
    machine.fake.powerState = "Off";
    CHECK(machine.changeFailure(PowerAction::nmi) == Error::Code::refused);
    CHECK(machine.text.find("its power reads Off") != std::string::npos);
    CHECK(machine.fake.journal.empty());
  }
  SECTION("its power is not known") {
    machine.fake.powerState = "Paused";
    CHECK(machine.changeFailure(PowerAction::nmi) == Error::Code::refused);
    CHECK(machine.fake.journal.empty());
  }
  SECTION("the BMC does not offer it") {
    machine.fake.resetTypes = R"("On","ForceOff")";
    CHECK(machine.changeFailure(PowerAction::nmi) == Error::Code::unsupported);
    CHECK(machine.fake.journal.empty());
  }
  SECTION("the answer is lost") {
    machine.goesAt("Nmi", 0s, 0);
    CHECK(machine.changeFailure(PowerAction::nmi) == Error::Code::outcomeUnknown);
    CHECK(machine.fake.journal.size() == 1);
  }
  SECTION("the BMC fails at it") {
    machine.goesAt("Nmi", 0s, 500);
    CHECK(machine.changeFailure(PowerAction::nmi) == Error::Code::outcomeUnknown);
    CHECK(machine.fake.journal.size() == 1);
  }
}

TEST_CASE("an AC cycle is off, then the request, and is done when the BMC has gone and come back") {
  Machine machine;
  machine.fake.resetTypes = R"("On","ForceOff","FullPowerCycle")";
  machine.goesAt("FullPowerCycle", 3min, GENERATE(204, 0));  // its answer may be lost with it
  const auto began = machine.clock.now();
  const auto change = machine.change(PowerAction::acCycle);
  CHECK(change.commandSent);
  CHECK(machine.clock.now() - began >= 3min);
  CHECK(machine.clock.now() - began < 4min);
  REQUIRE(machine.fake.journal.size() >= 2);
  CHECK(machine.fake.journal[0] == forceOff);
  CHECK(machine.fake.journal[1].find("FullPowerCycle") != std::string::npos);
  CHECK(machine.resets() == 2);
}

TEST_CASE("the task of an AC cycle is not followed: it ends with the BMC") {
  Machine machine;
  machine.fake.resetTypes = R"("On","ForceOff","FullPowerCycle")";
  bool isAsked = false;
  machine.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    isAsked = isAsked || request.path() == "/task";
    if (request.body.find("FullPowerCycle") == std::string::npos) return std::nullopt;
    return net::HttpResponse{.status = 202, .headers = {{"Location", "/task"}}, .body = R"({"TaskState":"Running"})"};
  };
  CHECK(machine.changeFailure(PowerAction::acCycle) == Error::Code::outcomeUnknown);
  CHECK(machine.text.find("no loss of input power was seen") != std::string::npos);
  CHECK_FALSE(isAsked);
}

TEST_CASE("an AC cycle that was accepted and not seen is not done") {
  Machine machine;
  machine.fake.resetTypes = R"("On","ForceOff","FullPowerCycle")";
  SECTION("the BMC goes on answering") {
    CHECK(machine.changeFailure(PowerAction::acCycle) == Error::Code::outcomeUnknown);
    CHECK(machine.text.find("no loss of input power was seen") != std::string::npos);
  }
  SECTION("it never comes back") {
    machine.goesAt("FullPowerCycle", 24h);
    CHECK(machine.changeFailure(PowerAction::acCycle) == Error::Code::outcomeUnknown);
    CHECK(machine.text.find("has not come back for 600 s") != std::string::npos);
  }
  CHECK(machine.resets() == 2);
}

TEST_CASE("no input power is taken from a host that is not proved off") {
  Machine machine;
  machine.fake.resetTypes = R"("On","ForceOff","FullPowerCycle")";
  machine.fake.obeys = false;
  CHECK(machine.changeFailure(PowerAction::acCycle) == Error::Code::notReached);
  CHECK(machine.fake.journal == std::vector<std::string>{forceOff});
}

TEST_CASE("a BMC that is busy, or late once, is not gone") {
  Machine machine;
  machine.fake.resetTypes = R"("On","ForceOff","FullPowerCycle")";
  int badReads = GENERATE(1, 5);
  const int status = badReads == 1 ? 0 : 503;
  bool isSent = false;
  machine.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.body.find("FullPowerCycle") != std::string::npos) isSent = true;
    const bool isBad = isSent && request.method == "GET" && badReads > 0;
    if (isBad) --badReads;
    return isBad ? std::optional(net::HttpResponse{.status = status}) : std::nullopt;
  };
  CHECK(machine.changeFailure(PowerAction::acCycle) == Error::Code::outcomeUnknown);
  CHECK(machine.text.find("no loss of input power was seen") != std::string::npos);
}

TEST_CASE("what the BMC lists comes before what its vendor is known for") {
  Machine machine;
  machine.fake.resetTypes = R"("On","ForceOff","FullPowerCycle")";
  machine.fake.documents["/"] =
      R"({"Vendor":"HPE","Systems":{"@odata.id":"/redfish/v1/Systems"},"Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}}})";
  machine.goesAt("FullPowerCycle", 1min);
  machine.change(PowerAction::acCycle);
  CHECK(machine.resets() == 2);
  CHECK(machine.fake.journal[1].find("FullPowerCycle") != std::string::npos);
}

TEST_CASE("vendors have actions of their own for an AC cycle") {
  struct Row {
    std::string vendor, action, type;
  };
  const auto row = GENERATE(values<Row>({
      {"HPE", "/Actions/Oem/Hpe/HpeComputerSystemExt.SystemReset", "AuxCycle"},
      {"Lenovo", "/Actions/Oem/LenovoComputerSystem.SystemReset", "ACPowerCycle"},
      {"Supermicro", "/Actions/Oem/OemSystemExtensions.Reset", "ACCycle"},
  }));
  INFO(row.vendor);
  Machine machine;
  machine.fake.documents["/"] =
      R"({"Vendor":")" + row.vendor +
      R"(","Systems":{"@odata.id":"/redfish/v1/Systems"},"Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}}})";
  machine.goesAt(row.type, 1min);
  machine.change(PowerAction::acCycle);
  REQUIRE(machine.fake.journal.size() >= 2);
  CHECK(machine.fake.journal[0] == forceOff);
  CHECK(machine.fake.journal[1] ==
        "POST /redfish/v1/Systems/1" + row.action + R"( {"ResetType":")" + row.type + R"("})");
}

TEST_CASE("a host whose BMC knows no AC cycle is not switched off for one") {
  Machine machine;
  CHECK(machine.changeFailure(PowerAction::acCycle) == Error::Code::unsupported);
  CHECK(machine.text.find("knows no way to do ac-cycle") != std::string::npos);
  CHECK(machine.fake.journal.empty());
}
