#include "base/file.hpp"
#include "sim/fleet/authority.hpp"
#include "tests/sim/running_fleet.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using tests::RunningFleet;
using namespace std::chrono_literals;

namespace {

std::vector<sim::MachineSpec> two() { return sim::uniformFleet(2, true); }

std::string readFailure(const std::string& text) {
  tests::ScratchFolder folder;
  const auto path = folder.path + "/fleet.yaml";
  base::writeFileAtomically(path, text);
  try {
    (void)sim::readFleet(path);
  } catch (const base::InvalidInput& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("each BMC has an address and a certificate of its own, signed by the fleet's authority") {
  RunningFleet running(two());
  REQUIRE(running.bmc(0) != running.bmc(1));
  for (std::size_t i : {0u, 1u}) {
    net::ClientOptions options{
        .baseUrl = running.bmc(i), .basicUser = "admin", .basicPassword = base::Secret("ingot-sim")};
    options.tls.caFile = running.fleet.caFile();
    REQUIRE(running.send(options, {.target = "/redfish/v1/Systems/1"}).status == 200);
  }
}

TEST_CASE("a client that does not know the authority refuses the BMC") {
  RunningFleet running(two());
  try {
    running.send({.baseUrl = running.bmc(0)}, {.target = "/redfish/v1"});
    FAIL("it was trusted");
  } catch (const net::HttpError& error) {
    REQUIRE(error.code() == net::HttpError::Code::tls);
  }
}

TEST_CASE("faults are set and the journal is read over the control interface") {
  RunningFleet running(two());
  const net::ClientOptions control{.baseUrl = running.fleet.url()};
  REQUIRE(
      running
          .send(control,
                {.method = "PUT", .target = "/control/machines/machine-1/faults/lie-power", .body = R"({"on":true})"})
          .status == 200);
  REQUIRE(json::serialize(running.machine(1).at("faults")) == R"(["lie-power"])");
  REQUIRE(
      running
          .send(control,
                {.method = "PUT", .target = "/control/machines/machine-9/faults/lie-power", .body = R"({"on":true})"})
          .status == 404);
  REQUIRE(
      running.send(control, {.method = "PUT", .target = "/control/machines/machine-1/faults/lie-power", .body = "{}"})
          .status == 400);
  const auto journal = json::parse(running.send(control, {.target = "/control/journal?machine=machine-1"}).body);
  REQUIRE(json::textAt(journal.at("entries").at(0), {"detail"}) == "lie-power on");
  REQUIRE_THAT(base::readFile(running.folder.path + "/journal.jsonl"), Catch::Contains("lie-power on"));
}

TEST_CASE("the access log has every request to a BMC, in the order in which they came, with the machine's name") {
  RunningFleet running(two(), "access.log");
  net::ClientOptions options{.baseUrl = running.bmc(1)};
  options.tls.caFile = running.fleet.caFile();
  running.send(options, {.target = "/redfish/v1"});
  running.send(options, {.method = "POST", .target = "/redfish/v1/SessionService/Sessions", .body = "{}"});

  std::istringstream lines(base::readFile(running.folder.path + "/access.log"));
  std::vector<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    const auto entry = json::parse(line);
    CHECK(json::textAt(entry, {"time"}).ends_with("Z"));
    seen.push_back(fmt::format("{} {} {}", json::textAt(entry, {"machine"}), json::textAt(entry, {"method"}),
                               json::textAt(entry, {"path"})));
  }
  CHECK(seen ==
        std::vector<std::string>{"machine-1 GET /redfish/v1", "machine-1 POST /redfish/v1/SessionService/Sessions"});
}

TEST_CASE("files of the HTTP root are served with their length, and in parts") {
  RunningFleet running(two());
  base::writeFileAtomically(running.folder.path + "/image.raw", std::string(600'000, 'x') + "end");
  const net::ClientOptions front{.baseUrl = running.fleet.url()};
  REQUIRE(running.send(front, {.target = "/image.raw"}).body.size() == 600'003);
  REQUIRE(running.send(front, {.method = "HEAD", .target = "/image.raw"}).headers.get("Content-Length") == "600003");
  const auto part = running.send(front, {.target = "/image.raw", .headers = {{"Range", "bytes=-3"}}});
  REQUIRE(part.status == 206);
  REQUIRE(part.body == "end");
}

TEST_CASE("the authority is kept from run to run") {
  tests::ScratchFolder folder;
  const auto now = base::SystemClock().wall();
  const auto first = sim::openAuthority(folder.path, now).certificatePem();
  REQUIRE(sim::openAuthority(folder.path, now).certificatePem() == first);
}

TEST_CASE("a fleet file that cannot be meant is refused with its line") {
  CHECK_THAT(readFailure("machines:\n  - name: a\n    colour: red\n"), Catch::Contains("fleet.yaml:3"));
  CHECK_THAT(readFailure("machines:\n  - name: a\n  - name: a\n"), Catch::Contains("two machines have the name a"));
  CHECK_THAT(readFailure("machines:\n  - nics: [{mac: '52:54:00:00:00:01'}]\n  - nics: [{mac: '52:54:00:00:00:01'}]\n"),
             Catch::Contains("two machines have the MAC"));
}
