// The drives of a host, erased as the coordinator asks for it (docs/decisions/0022).
#include "agent/erasure_records.hpp"
#include "base/file.hpp"
#include "tests/agent/erase_serving.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("an agent says that it erases drives, does so, and tells how far it is") {
  EraseServing bench;
  CHECK(std::ranges::count(bench.all<wire::Hello>().back().capabilities, "erase") == 1);
  const auto end = bench.ask(bench.request({5, 1, 1}));
  CHECK(end.outcome == "done");
  CHECK(end.token == wire::Token{5, 1, 1});
  CHECK(end.serialNumber == "S1");
  REQUIRE(end.drives.size() == 2);
  CHECK(end.drives[1].state == "erased");
  CHECK(end.drives[1].verified);
  const auto reports = bench.all<wire::EraseReport>();
  CHECK(reports.front().outcome == "running");
  CHECK(std::ranges::any_of(reports, [](const auto& report) {
    return report.outcome == "running" && report.drives.size() == 2 && report.drives[0].state == "running";
  }));
}

TEST_CASE("the same job again tells how far it is, and how it ended; it is not begun again") {
  EraseServing bench;
  for (auto& drive : bench.drives.drives) drive.looks = 20;
  bench.say(bench.request({5, 1, 1}));
  bench.clock.advance(5s);
  bench.say(bench.request({5, 1, 2}));
  CHECK(bench.all<wire::EraseReport>().back().token == wire::Token{5, 1, 2});
  CHECK(bench.all<wire::EraseReport>().back().outcome == "running");
  CHECK(bench.ask(bench.request({5, 1, 3})).outcome == "done");
  CHECK(bench.ask(bench.request({5, 1, 4})).outcome == "done");
  CHECK(bench.drives.erasures() == 2);
  bench.say(bench.grant({5, 1, 0}));                                  // its lease had ended meanwhile
  CHECK(bench.ask(bench.request({5, 1, 5}, "2")).outcome == "done");  // another one
  CHECK(bench.drives.erasures() == 4);
}

TEST_CASE("a host whose drives are being erased keeps its power, whoever asks") {
  EraseServing bench;
  bench.bmc.powerState = "On";
  for (auto& drive : bench.drives.drives) drive.looks = 20;
  bench.say(bench.request({5, 1, 1}));
  bench.clock.advance(2s);
  REQUIRE(bench.drives.isErasing());
  for (const auto* action : {"hard-off", "soft-off", "hard-reboot"}) {
    const auto result = bench.command({5, 1, 2}, action);
    CHECK(result.outcome == "refused");
    CHECK(result.errorCode == "busy");
    CHECK(result.error.find("drives are being erased") != std::string::npos);
  }
  bench.say(wire::BootRequest{.host = "u1", .token = {5, 1, 3}, .device = "none"});
  CHECK(bench.all<wire::BootResult>().back().errorCode == "busy");
  CHECK_THAT(bench.all<wire::BootResult>().back().error, Catch::Contains("drives are being erased"));
  CHECK(bench.ask(bench.request({5, 1, 4})).outcome == "done");
  CHECK_FALSE(bench.drives.lostPower);
  bench.say(bench.grant({5, 1, 0}));
  CHECK(bench.command({5, 1, 5}, "hard-off").outcome == "done");
}

TEST_CASE("drives are not erased without the right to act, nor beside another request") {
  EraseServing bench;
  SECTION("another lease") { CHECK(bench.ask(bench.request({5, 2, 1})).errorCode == "stale-token"); }
  SECTION("a lease that has ended") {
    bench.clock.advance(1min);
    CHECK(bench.ask(bench.request({5, 1, 1})).errorCode == "no-lease");
  }
  SECTION("a host that it does not serve") {
    auto request = bench.request({5, 1, 1});
    request.host = "u2";
    CHECK(bench.ask(request).errorCode == "no-lease");
  }
  SECTION("a depth of a later version") {
    auto request = bench.request({5, 1, 1});
    request.depths["A"] = "shred";
    CHECK(bench.ask(request).errorCode == "unsupported");
  }
  SECTION("a command is being carried out") {
    bench.bmc.obeys = false;
    bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
    CHECK(bench.ask(bench.request({5, 1, 2})).errorCode == "busy");
  }
  SECTION("another erasure") {
    for (auto& drive : bench.drives.drives) drive.looks = 20;
    bench.say(bench.request({5, 1, 1}));
    bench.clock.advance(2s);
    CHECK(bench.ask(bench.request({5, 1, 2}, "2")).errorCode == "busy");
    CHECK(bench.drives.erasures() == 2);
    return;
  }
  CHECK(bench.drives.erasures() == 0);
}

TEST_CASE("what was never begun is not begun by a request to resume it") {
  EraseServing bench;
  auto request = bench.request({5, 1, 1});
  request.resumeOnly = true;
  CHECK(bench.ask(request).outcome == "idle");
  bench.clock.advance(1min);
  CHECK(bench.drives.erasures() == 0);
}

TEST_CASE("an agent that is restarted in the middle goes on where it was, once it is asked") {
  TemporaryFolder folder;
  EraseServing bench;
  bench.erasures = folder.path() + "/erasures";
  bench.startAgain();
  for (auto& drive : bench.drives.drives) drive.looks = 20;
  bench.say(bench.request({5, 2, 1}));
  bench.clock.advance(3s);
  REQUIRE(bench.drives.erasures() == 2);
  bench.startAgain(3);
  auto request = bench.request({5, 3, 1});
  request.resumeOnly = true;
  const auto end = bench.ask(request);
  CHECK(end.outcome == "done");
  CHECK(bench.drives.erasures() == 2);
  // The record is there for whoever asks later: a coordinator that has forgotten it, or an auditor.
  CHECK(base::readFile(folder.path() + "/erasures/u1.json").find("\"endedAt\"") != std::string::npos);
}

TEST_CASE("a host keeps its power from the start of an agent on, asked or not, until its drives are at rest") {
  TemporaryFolder folder;
  EraseServing bench;
  bench.bmc.powerState = "On";
  bench.erasures = folder.path();
  bench.startAgain();
  for (auto& drive : bench.drives.drives) drive.looks = 20;
  bench.say(bench.request({5, 2, 1}));
  bench.clock.advance(3s);
  REQUIRE(bench.drives.isErasing());
  bench.restart(3);
  CHECK(bench.command({5, 3, 1}, "hard-off").errorCode == "busy");
  CHECK(bench.clock.advanceUntil([&] { return !bench.drives.isErasing(); }, 10min));
  bench.clock.advance(1min);
  CHECK_FALSE(bench.drives.lostPower);
  bench.say(bench.grant({5, 3, 0}));
  CHECK(bench.command({5, 3, 2}, "hard-off").outcome == "done");
  CHECK(bench.drives.erasures() == 2);
}

TEST_CASE("a new password in the middle neither loses what is under way nor lets the power go") {
  EraseServing bench;
  bench.bmc.powerState = "On";
  for (auto& drive : bench.drives.drives) drive.looks = 20;
  bench.say(bench.request({5, 1, 1}));
  bench.clock.advance(3s);
  bench.bmc.password = "n3w";
  bench.bmc.expireSessions();
  auto grant = bench.grant({5, 1, 0});
  grant.password = base::Secret("n3w");
  bench.say(grant);
  bench.clock.advance(2s);
  REQUIRE(bench.drives.isErasing());
  CHECK(bench.command({5, 1, 2}, "hard-off").errorCode == "busy");
  grant.echoMs = bench.lastStamp();
  bench.say(grant);
  const auto end = bench.ask(bench.request({5, 1, 3}));
  CHECK((end.outcome == "done" || end.errorCode == "busy"));
  bench.clock.advance(20s);
  grant.echoMs = bench.lastStamp();
  bench.say(grant);
  CHECK(bench.ask(bench.request({5, 1, 4})).outcome == "done");
  CHECK(bench.drives.erasures() == 2);
  CHECK_FALSE(bench.drives.lostPower);
}

TEST_CASE("before an agent says that nothing is under way it looks, for whoever was at it may be gone") {
  EraseServing bench;
  bench.drives.drives[1].looksLeft = 20;
  auto request = bench.request({5, 1, 1});
  request.resumeOnly = true;
  const auto answer = bench.ask(request);
  CHECK(answer.outcome == "refused");
  CHECK(answer.errorCode == "busy");
  CHECK(answer.error.find("an operation is under way on the drive B") != std::string::npos);
}

TEST_CASE("a keep that is taken back after the end has that drive erased, and no other again") {
  EraseServing bench;
  auto request = bench.request({5, 1, 1});
  request.depths["B"] = "keep";
  CHECK(bench.ask(request).outcome == "done");
  request.token.seq = 2;
  request.depths.clear();
  bench.say(bench.grant({5, 1, 0}));
  CHECK(bench.ask(request).outcome == "done");
  CHECK(bench.drives.drives[0].erasures.size() == 1);
  CHECK(bench.drives.drives[1].erasures.size() == 1);
}

TEST_CASE("a record that cannot be written keeps drives from being erased") {
  TemporaryFolder folder;
  EraseServing bench;
  bench.erasures = folder.path();
  bench.startAgain();
  std::filesystem::remove_all(folder.path());
  const auto end = bench.ask(bench.request({5, 2, 1}));
  CHECK(end.outcome == "failed");
  CHECK(end.errorCode == "journal");
  CHECK(bench.drives.erasures() == 0);
}

TEST_CASE("a report that is too long is told without its texts, and then without its drives") {
  EraseServing bench;
  bench.drives.drives.clear();
  auto request = bench.request({5, 1, 1});
  request.known.clear();
  for (int i = 0; i < 250; ++i) {
    const auto serial = fmt::format("{:03}{}", i, std::string(240, '\\'));
    bench.drives.add(serial).more = fmt::format(R"(,"Model":"{0}","Manufacturer":"{0}")", std::string(480, '\\'));
    request.known.push_back(fmt::format("{:03}{}", i, std::string(120, '\\')));
  }
  bench.say(request);
  bench.clock.advance(10s);
  const auto reports = bench.all<wire::EraseReport>();
  CHECK(std::ranges::any_of(reports, [](const auto& report) {
    return report.drives.empty() && report.errorCode == "too-long" &&
           report.error == "what the BMC tells of 250 drives is too long to be sent";
  }));
}

TEST_CASE("what a BMC makes of its words in a report is bounded, and holds no password") {
  EraseServing bench;
  TemporaryFolder folder;
  bench.erasures = folder.path();
  bench.startAgain();
  bench.drives.drives[0].more = fmt::format(R"(,"Model":"s3cret {}")", std::string(3000, 'x'));
  bench.drives.drives[1].end = "Exception";
  bench.drives.drives[1].words = "your password s3cret";
  const auto end = bench.ask(bench.request({5, 2, 1}));
  CHECK(end.outcome == "failed");
  CHECK(end.errorCode == "refused");
  CHECK(base::readFile(folder.path() + "/u1.json").find("s3cret") == std::string::npos);
  CHECK(end.error.find("1 of 2 drives were not erased: B") != std::string::npos);
  for (const auto& drive : end.drives) CHECK(drive.model.size() <= 256);
  for (const auto& report : bench.all<wire::EraseReport>())
    CHECK(wire::encode(report).find("s3cret") == std::string::npos);
}

TEST_CASE("a request that was overtaken, or comes from a coordinator before, changes nothing") {
  EraseServing bench;
  for (auto& drive : bench.drives.drives) drive.looks = 20;
  bench.say(bench.request({5, 1, 2}));
  bench.clock.advance(2s);
  const auto before = bench.all<wire::EraseReport>().size();
  auto late = bench.request({5, 1, 1});
  late.resumeOnly = true;
  bench.say(late);
  late.token = {4, 9, 9};
  bench.say(late);
  bench.clock.advance(1s);
  const auto reports = bench.all<wire::EraseReport>();
  CHECK(std::ranges::none_of(reports, [](const auto& report) { return report.token < wire::Token{5, 1, 2}; }));
  CHECK(bench.ask(bench.request({5, 1, 3})).outcome == "done");
  CHECK(before > 0);
}

TEST_CASE("a session whose BMC could not be opened at first goes on with the erasure once it can be") {
  TemporaryFolder folder;
  EraseServing bench;
  bench.bmc.powerState = "On";
  bench.erasures = folder.path();
  bench.startAgain();
  for (auto& drive : bench.drives.drives) drive.looks = 30;
  bench.say(bench.request({5, 2, 1}));
  bench.clock.advance(3s);
  REQUIRE(bench.drives.isErasing());
  bench.stop();
  bench.heard.clear();
  bench.start();
  bench.greet();
  auto grant = bench.grant({5, 3, 0});
  grant.address = "redfish://[";  // nothing that can be opened
  bench.say(grant);
  CHECK(bench.ask(bench.request({5, 3, 1})).errorCode == "busy");
  CHECK(bench.ask(bench.request({5, 3, 1}, "2")).errorCode == "busy");
  bench.say(bench.grant({5, 3, 0}));
  CHECK(bench.command({5, 3, 2}, "hard-off").errorCode == "busy");
  CHECK_FALSE(bench.drives.lostPower);
}

TEST_CASE("an order without disks ends nothing") {
  EraseServing bench;
  bench.drives.drives[1].end = "Exception";
  CHECK(bench.ask(bench.request({5, 1, 1})).outcome == "failed");
  bench.say(bench.grant({5, 1, 0}));
  CHECK(bench.ask({.host = "u1", .token = {5, 1, 2}, .job = "1", .resumeOnly = true, .depth = "crypto"}).outcome ==
        "idle");
  bench.drives.drives[1].end = "Completed";
  bench.say(bench.grant({5, 1, 0}));
  CHECK(bench.ask(bench.request({5, 1, 3})).outcome == "done");
  CHECK(bench.drives.drives[1].erasures.size() == 2);
}
