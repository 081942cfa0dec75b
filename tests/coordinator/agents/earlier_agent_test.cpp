// An agent of an earlier version, which knows power and health alone: its messages as it writes them, ours as it reads
// them.
#include "tests/coordinator/agents/parts.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct EarlierAgent : Parts {
  void write(const std::string& body, std::string_view kind) {
    agent->send(fmt::format(R"({{"v":1,"kind":"{}","body":{}}})", kind, body));
    clock.settle();
  }
  // As the earlier version reads it: by the members that it knows.
  [[nodiscard]] json::Value lastBody(std::string_view kind) const {
    json::Value found;
    for (const auto& message : heard)
      if (const auto read = json::parse(wire::encode(message)); json::textAt(read, {"kind"}) == kind)
        found = read.at("body");
    return found;
  }
};

}  // namespace

TEST_CASE("an agent of an earlier version still switches power") {
  EarlierAgent parts;
  const auto hello =
      fmt::format(R"({{"version":1,"name":"near","software":"0.0.9","boot":"b","stampMs":{}}})", parts.stamp());
  parts.write(hello, "hello");
  parts.pass(3s);
  parts.approve();
  parts.pass(25s);
  const auto grant = parts.lastBody("grant");
  CHECK(json::textAt(grant, {"address"}) == "redfish://10.0.0.1/redfish/v1/Systems/1");
  CHECK(json::textAt(grant, {"username"}) == "admin");
  CHECK(json::textAt(grant, {"password"}) == "secret");
  CHECK(json::boolAt(grant, {"mayAct"}) == true);
  REQUIRE(parts.grants.canCommand(parts.uid(0)));

  const auto lease = json::serialize(grant.at("token").at("lease"));
  const auto tellPower = [&](int seq, std::string_view power) {
    parts.write(fmt::format(R"({{"host":"{}","seq":{},"term":2,"lease":{},"stampMs":{},"power":"{}","rawPower":"{}",)"
                            R"("powerAgeMs":0,"health":"OK","healthAgeMs":0}})",
                            parts.uid(0), seq, lease, parts.stamp(), power, power),
                "facts");
  };
  tellPower(1, "Off");
  CHECK(parts.commands.provedPower(parts.uid(0)) == bmc::Power::off);
  parts.clock.advance(1s);
  REQUIRE(parts.commands.send(parts.uid(0), bmc::PowerAction::on));
  parts.clock.settle();
  const auto command = parts.lastBody("command");
  CHECK(json::textAt(command, {"action"}) == "on");
  parts.write(
      fmt::format(R"({{"host":"{}","token":{},"outcome":"done","power":"On","powerAgeMs":0,"commandSent":true}})",
                  parts.uid(0), json::serialize(command.at("token"))),
      "result");
  CHECK(parts.commands.underWay(parts.uid(0)) == nullptr);
  parts.clock.advance(1s);
  tellPower(2, "On");
  CHECK(parts.commands.provedPower(parts.uid(0)) == bmc::Power::on);
  CHECK(json::serialize(parts.lastBody("acknowledge").at("token")) == json::serialize(command.at("token")));
}

TEST_CASE("an agent of an earlier version is asked for nothing that it does not know") {
  EarlierAgent parts;
  parts.write(fmt::format(R"({{"name":"near","boot":"b","stampMs":{}}})", parts.stamp()), "hello");
  parts.pass(3s);
  parts.approve();
  parts.pass(25s);
  const auto uid = parts.uid(0);
  CHECK_FALSE(parts.jobs.canReadInventory(uid));
  CHECK_FALSE(parts.jobs.preparesBoots(uid));
  CHECK_FALSE(parts.jobs.erasesDrives(uid));
}
