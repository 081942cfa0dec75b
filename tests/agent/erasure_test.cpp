// The drives of a host, erased as the coordinator asks for it (docs/decisions/0022).
#include "agent/erasure_records.hpp"
#include "base/file.hpp"
#include "tests/agent/fixture.hpp"
#include "tests/bmc/fake_drives.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct EraseServing : Serving {
  EraseServing() { drives.add("A"), drives.add("B"); }
  wire::EraseRequest request(wire::Token token, const std::string& job = "1") const {
    return {.host = "u1", .token = token, .job = job, .machineSerial = "S1", .depth = "crypto", .known = {"A", "B"}};
  }
  [[nodiscard]] bool isOver(std::size_t from = 0) const {
    const auto reports = all<wire::EraseReport>();
    return std::any_of(reports.begin() + static_cast<std::ptrdiff_t>(from), reports.end(),
                       [](const auto& report) { return report.outcome != "running"; });
  }
  // How it ended.
  wire::EraseReport ask(const wire::EraseRequest& request) {
    const auto from = all<wire::EraseReport>().size();
    say(request);
    if (!clock.advanceUntil([&] { return isOver(from); }, 30min)) throw std::runtime_error("no end came");
    return all<wire::EraseReport>().back();
  }
  // As the same agent after its process has ended, wherever it was.
  void restart(std::int64_t lease) {
    stop();
    heard.clear();
    start();
    greet();
    say(grant({5, lease, 0}));
  }
  void startAgain(std::int64_t lease = 2) {
    restart(lease);
    clock.advance(1s);
  }

  FakeDrives drives{bmc};
};

}  // namespace

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

TEST_CASE("an order that is changed, called off or not stood by has nothing more begun") {
  EraseServing bench;
  for (const auto* serial : {"C", "D", "E", "F"}) bench.drives.add(serial);
  for (auto& drive : bench.drives.drives) drive.looks = 30;
  auto request = bench.request({5, 1, 1});
  request.known = {"A", "B", "C", "D", "E", "F"};
  bench.say(request);
  bench.clock.advance(3s);
  REQUIRE(bench.drives.erasures() == 4);
  const auto ended = [&] { return bench.clock.advanceUntil([&] { return bench.isOver(); }, 30min); };
  SECTION("changed") {
    request.token.seq = 2;
    request.depths["F"] = "keep";
    bench.say(request);
    REQUIRE(ended());
    CHECK(bench.all<wire::EraseReport>().back().errorCode == "busy");
    CHECK(bench.drives.erasures() == 4);
    bench.say(bench.grant({5, 1, 0}));
    request.token.seq = 3;
    CHECK(bench.ask(request).outcome == "done");
    CHECK(bench.drives.drives[5].erasures.empty());
    CHECK(bench.drives.drives[4].erasures.size() == 1);
  }
  SECTION("called off") {
    request.token.seq = 2;
    request.resumeOnly = true;
    bench.say(request);
    REQUIRE(ended());
    CHECK(bench.drives.erasures() == 4);
    request.token.seq = 3;
    CHECK(bench.ask(request).outcome == "idle");
  }
  SECTION("not stood by") {
    for (auto& drive : bench.drives.drives) drive.looks = 60;
    for (auto& drive : bench.drives.drives)
      if (drive.looksLeft > 0) drive.looksLeft = 60;
    bench.say(bench.grant({5, 1, 0}));
    REQUIRE(ended());
    CHECK(bench.drives.erasures() == 4);
  }
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

TEST_CASE("no drive is begun before the coordinator has said again that it is to be") {
  EraseServing bench;
  bench.confirmsErasures = false;
  bench.say(bench.request({5, 1, 1}));
  bench.clock.advance(10s);
  REQUIRE(bench.all<wire::EraseConfirm>().size() == 1);
  const auto asked = bench.all<wire::EraseConfirm>().front();
  CHECK(asked.host == "u1");
  CHECK(asked.job == "1");
  CHECK(bench.drives.erasures() == 0);
  SECTION("it says so") {
    bench.confirmsErasures = true;
    bench.standBy(asked.id);
    REQUIRE(bench.clock.advanceUntil([&] { return bench.isOver(); }, 10min));
    CHECK(bench.all<wire::EraseReport>().back().outcome == "done");
  }
  SECTION("it says nothing") {
    bench.say(bench.grant({5, 1, 0}));
    bench.clock.advance(40s);
    CHECK(bench.drives.erasures() == 0);
    CHECK(bench.all<wire::EraseReport>().back().errorCode == "busy");
  }
  SECTION("it calls it off") {
    auto request = bench.request({5, 1, 2});
    request.confirms = asked.id;
    request.resumeOnly = true;
    bench.say(request);
    bench.clock.advance(1s);
    CHECK(bench.isOver());
    CHECK(bench.drives.erasures() == 0);
  }
  SECTION("it would answer, and repeats its order without doing so") {
    auto request = bench.request({5, 1, 2});
    request.confirms = -1;
    bench.say(request);
    bench.say(bench.grant({5, 1, 0}));
    bench.clock.advance(40s);
    CHECK(bench.drives.erasures() == 0);
  }
  SECTION("it says something else meanwhile") {
    auto other = bench.request({5, 1, 2});
    other.depths["A"] = "keep";
    other.confirms = asked.id;
    bench.say(other);
    bench.clock.advance(1s);
    CHECK(bench.drives.erasures() == 0);
  }
  SECTION("one of an earlier version repeats its order") {
    bench.clock.advance(20s);
    bench.say(bench.request({5, 1, 2}));
    bench.clock.advance(10s);
    CHECK(bench.drives.erasures() == 0);  // it might have been on its way before
    bench.say(bench.grant({5, 1, 0}));
    bench.clock.advance(10s);
    CHECK(bench.drives.erasures() == 1);
  }
}

TEST_CASE("the steps of an order are taken when all is erased, and told") {
  EraseServing bench;
  auto request = bench.request({5, 1, 1});
  request.steps = {"clear-sel", "reset-boot-order"};
  const auto end = bench.ask(request);
  CHECK(end.outcome == "done");
  REQUIRE(end.steps.size() == 2);  // this BMC has neither
  CHECK(end.steps[0].step == "clear-sel");
  CHECK(end.steps[0].outcome == "skipped");
  CHECK(end.steps[1].step == "reset-boot-order");
  CHECK(end.steps[1].endedAt);
  request.token.seq = 2;
  request.steps = {"clear-sel", "clear-sessions"};
  bench.say(bench.grant({5, 1, 0}));
  const auto again = bench.ask(request);
  CHECK(again.steps.size() == 3);
  CHECK(bench.drives.erasures() == 2);
}

TEST_CASE("a step of a later version is refused, and nothing is erased") {
  EraseServing bench;
  auto request = bench.request({5, 1, 1});
  request.steps = {"scrub-the-floor"};
  CHECK(bench.ask(request).errorCode == "unsupported");
  CHECK(bench.drives.erasures() == 0);
}

TEST_CASE("an order that is changed while a drive is looked at for the last time has it left alone") {
  EraseServing bench;
  const bool isCalledOff = GENERATE(false, true);
  bool isChanged = false;
  bench.bmc.before = [&](const net::ServerRequest& request) {
    const bool isLastLook = request.target.contains("/d/") && !bench.all<wire::EraseConfirm>().empty();
    if (isLastLook && !std::exchange(isChanged, true)) {
      auto other = bench.request({5, 1, 2});
      other.confirms = -1;
      if (isCalledOff)
        other.resumeOnly = true;
      else
        other.depths = {{"A", "keep"}, {"B", "keep"}};
      bench.coordinator->send(bench.peer, wire::encode(other));
    }
    return bench.clock.sleepFor(100ms);
  };
  bench.say(bench.request({5, 1, 1}));
  bench.clock.advance(10s);
  CHECK(isChanged);
  CHECK(bench.drives.erasures() == 0);
}
