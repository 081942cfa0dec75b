#include "tests/sim/bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using sim::Fault;
using tests::SimBench;
using tests::systemPath;
using namespace std::chrono_literals;

namespace {

net::HttpError::Code failure(SimBench& bench) {
  try {
    bench.send("GET", systemPath);
  } catch (const net::HttpError& error) {
    return error.code();
  }
  throw std::logic_error("nothing failed");
}

}  // namespace

TEST_CASE("refuse-password refuses what was right") {
  SimBench bench;
  bench.machine.setFault(Fault::refusePassword, true);
  REQUIRE(bench.send("GET", systemPath).status == 401);
  REQUIRE(bench.send("POST", "/redfish/v1/SessionService/Sessions", R"({"UserName":"admin","Password":"ingot-sim"})")
              .status == 401);
  const auto attempts = bench.journal.since(0);
  REQUIRE(std::ranges::count(attempts, "login", &sim::JournalEntry::action) == 2);  // whichever way the password came
  bench.machine.setFault(Fault::refusePassword, false);
  REQUIRE(bench.send("GET", systemPath).status == 200);
}

TEST_CASE("500 answers every request so, the root too") {
  SimBench bench;
  bench.machine.setFault(Fault::serverErrors, true);
  REQUIRE(bench.send("GET", "/redfish/v1").status == 500);
  REQUIRE(bench.send("GET", systemPath).status == 500);
}

TEST_CASE("hang answers nothing") {
  SimBench bench;
  bench.machine.setFault(Fault::hang, true);
  REQUIRE(failure(bench) == net::HttpError::Code::timeout);
}

TEST_CASE("slow answers late") {
  SimBench bench;
  bench.machine.faults.slowness = 7s;
  bench.machine.setFault(Fault::slow, true);
  const auto before = bench.clock.now();
  REQUIRE(bench.send("GET", systemPath).status == 200);
  REQUIRE(bench.clock.now() - before == 7s);
}

TEST_CASE("drop breaks the connection") {
  SimBench bench;
  bench.machine.setFault(Fault::drop, true);
  REQUIRE(failure(bench) == net::HttpError::Code::reset);
}

TEST_CASE("ignore-reset accepts and does nothing") {
  SimBench bench;
  bench.machine.setFault(Fault::ignoreReset, true);
  REQUIRE(bench.reset("On") == 204);
  bench.pass(1min);
  REQUIRE(bench.power() == "Off");
}

TEST_CASE("lie-power reports the opposite of the truth") {
  SimBench bench;
  bench.machine.setFault(Fault::liePower, true);
  REQUIRE(bench.power() == "On");
  REQUIRE_FALSE(bench.machine.on());
}

TEST_CASE("expire-sessions forgets tokens, session-limit gives none") {
  SimBench bench;
  const auto login = [&] {
    return bench.send("POST", "/redfish/v1/SessionService/Sessions", R"({"UserName":"admin","Password":"ingot-sim"})");
  };
  const net::Headers token{{"X-Auth-Token", login().headers.get("X-Auth-Token")}};
  bench.machine.setFault(Fault::expireSessions, true);
  REQUIRE(bench.send("GET", systemPath, {}, token).status == 401);
  bench.machine.setFault(Fault::sessionLimit, true);
  REQUIRE(login().status == 503);
}

TEST_CASE("a pulled cord kills the server, not the BMC, and On is refused until it is replugged") {
  SimBench bench;
  bench.reset("On");
  bench.pass(1s);
  bench.machine.setFault(Fault::cordOut, true);
  REQUIRE(bench.power() == "Off");
  REQUIRE(json::textAt(bench.get(systemPath), {"Status", "Health"}) == "Critical");
  REQUIRE(json::intAt(bench.get("/redfish/v1/Chassis/1/Power").at("PowerSupplies").at(0), {"LineInputVoltage"}) == 0);
  REQUIRE(bench.reset("On") == 409);
  REQUIRE(bench.reset("ForceOff") == 204);
  bench.machine.setFault(Fault::cordOut, false);
  REQUIRE(bench.power() == "Off");
  REQUIRE(bench.reset("On") == 204);
  bench.pass(1s);
  REQUIRE(bench.power() == "On");
}

TEST_CASE("fragile dies at the third request within a second, and lives when it is switched off") {
  SimBench bench;
  bench.machine.setFault(Fault::fragile, true);
  for (int i = 0; i < 6; ++i) {
    REQUIRE(bench.send("GET", systemPath).status == 200);
    bench.pass(500ms);
  }
  bench.pass(1s);
  for (int i = 0; i < 2; ++i) REQUIRE(bench.send("GET", systemPath).status == 200);
  REQUIRE(failure(bench) == net::HttpError::Code::reset);
  bench.pass(1h);
  REQUIRE(failure(bench) == net::HttpError::Code::reset);
  REQUIRE(std::ranges::count(bench.journal.since(0), "died", &sim::JournalEntry::detail) == 1);
  bench.machine.setFault(Fault::fragile, false);
  bench.machine.setFault(Fault::fragile, true);
  REQUIRE(bench.send("GET", systemPath).status == 200);
}

TEST_CASE("oversize pads answers, garbage breaks them off") {
  SimBench bench;
  const auto whole = bench.send("GET", systemPath).body;
  bench.machine.setFault(Fault::oversize, true);
  const auto padded = bench.send("GET", systemPath).body;
  REQUIRE(padded.size() > whole.size() + (4u << 20));
  REQUIRE(json::textAt(json::parse(padded), {"PowerState"}) == "Off");
  bench.machine.setFault(Fault::oversize, false);
  bench.machine.setFault(Fault::garbage, true);
  const auto broken = bench.send("GET", systemPath).body;
  REQUIRE(broken.size() < whole.size());
  REQUIRE(broken.ends_with("\xff\xc3"));  // no UTF-8
  REQUIRE_THROWS_AS(json::parse(broken), json::ParseError);
}

TEST_CASE("drip comes to an end, a byte a second") {
  SimBench bench;
  const auto length = bench.send("GET", "/redfish").body.size();
  bench.machine.setFault(Fault::drip, true);
  const auto before = bench.clock.now();
  auto stream = bench.run(bench.client->open({.target = "/redfish"}));
  std::string body;
  while (const auto piece = bench.run(stream->next(10s))) body += *piece;
  REQUIRE(body.size() == length);
  REQUIRE(bench.clock.now() - before >= std::chrono::seconds(length - 1));
}
