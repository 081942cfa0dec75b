// The disk of an agent stalls, or does not give back what was written: neither is the host's harm.
#include "base/file.hpp"
#include "tests/agent/erase_serving.hpp"
#include "tests/support/stalling_disk.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct OnStallingDisk : EraseServing {
  OnStallingDisk() {
    erasures = folder.path();
    files = disk;
    startAgain();
  }
  ~OnStallingDisk() {
    disk->goOn();
    stop();
  }
  void serveFor(base::Duration time) {
    for (base::Duration passed{}; passed < time; passed += 5s) {
      say(wire::Renew{.term = 5, .echoMs = lastStamp(), .ttlMs = 60'000, .leases = {{"u1", 2}}});
      clock.advance(5s);
    }
  }
  [[nodiscard]] bmc::ErasureRecord onDisk() const { return erasureOnDisk(folder.path()); }

  TemporaryFolder folder;
  std::shared_ptr<StallingDisk> disk = std::make_shared<StallingDisk>(runtime.executor);
};

// A record that cannot be read for a while, whoever asks (root may read every file).
struct OnUnreadableDisk : EraseServing {
  OnUnreadableDisk() {
    erasures = folder.path();
    startAgain();
  }
  ~OnUnreadableDisk() { stop(); }
  void spoil() {
    std::filesystem::rename(record(), aside());
    std::filesystem::create_symlink(record(), record());
  }
  // The agent ends while both drives are being erased, and the next one cannot read the record of that.
  void endWhileErasing() {
    drives.take(1000);
    say(request({5, 2, 1}));
    REQUIRE(clock.advanceUntil([&] { return drives.erasures() == 2; }, 1min));
    stop();
    spoil();
  }
  void heal() {
    REQUIRE(std::filesystem::is_symlink(record()));  // nothing was written over it
    std::filesystem::rename(aside(), record());
  }
  [[nodiscard]] std::string record() const { return folder.path() + "/u1.json"; }
  [[nodiscard]] std::string aside() const { return folder.path() + "/aside"; }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("while the disk stalls an agent is heard and reads its hosts, and no drive is erased that is not on record") {
  OnStallingDisk bench;
  bench.disk->stall();
  bench.say(bench.request({5, 2, 1}));
  const auto beats = bench.all<wire::Heartbeat>().size();
  const auto facts = bench.all<wire::Facts>().size();
  bench.serveFor(30s);
  CHECK(bench.drives.erasures() == 0);
  CHECK(bench.disk->waiting() >= 1);
  CHECK(bench.all<wire::Heartbeat>().size() >= beats + 10);
  CHECK(bench.all<wire::Facts>().size() >= facts + 4);
  CHECK(bench.command({5, 2, 2}, "hard-off").errorCode == "busy");
  bench.disk->goOn();
  bench.serveFor(1min);
  REQUIRE(bench.clock.advanceUntil([&] { return bench.isOver(); }, 10min));
  CHECK(bench.all<wire::EraseReport>().back().outcome == "done");
  CHECK(bench.drives.areErasedOnce());
  CHECK(bench.onDisk().endedAt);
  CHECK_FALSE(bench.drives.lostPower);
}

TEST_CASE(
    "a disk that stalls before any write of an erasure holds up that erasure alone, and no request leaves early") {
  for (int request = 1;; ++request) {
    INFO("stalled from request " << request);
    OnStallingDisk bench;
    int requests = 0, unrecorded = 0;
    bench.drives.instead = [&](const net::ServerRequest& asked) -> std::optional<net::HttpResponse> {
      if (++requests == request) bench.disk->stall();
      if (asked.method != "POST" || !asked.path().ends_with("/erase")) return std::nullopt;
      const auto record = bench.onDisk();
      if (std::ranges::none_of(record.drives, [&](const auto& drive) {
            return asked.path().starts_with(drive.path) && stateOf(drive) == bmc::ErasureState::running;
          }))
        ++unrecorded;
      return std::nullopt;
    };
    bench.say(bench.request({5, 2, 1}));
    bench.serveFor(10s);
    const auto beats = bench.all<wire::Heartbeat>().size();
    bench.serveFor(10s);
    CHECK(bench.all<wire::Heartbeat>().size() >= beats + 4);
    CHECK(unrecorded == 0);
    const bool isWhole = requests < request;
    bench.disk->goOn();
    bench.serveFor(30s);
    CHECK(bench.clock.advanceUntil([&] { return bench.isOver(); }, 10min));
    CHECK(unrecorded == 0);
    CHECK(bench.drives.areErasedOnce());
    CHECK_FALSE(bench.drives.lostPower);
    bench.drives.instead = nullptr;  // it still logs out
    REQUIRE(request < 500);
    if (isWhole) break;
  }
}

TEST_CASE("an erasure whose record cannot be read counts as one that may be under way") {
  OnUnreadableDisk bench;
  bench.endWhileErasing();
  bench.startAgain(3);
  const auto refused = bench.command({5, 3, 1}, "on");
  CHECK(refused.outcome == "refused");
  CHECK(refused.errorCode == "busy");
  CHECK_THAT(refused.error, Catch::Contains("whether the host's drives are being erased is not known") &&
                                Catch::Contains(bench.record()));
  CHECK(bench.said->contains("the record of an erasure cannot be read"));
  bench.say(wire::BootRequest{.host = "u1", .token = {5, 3, 1}, .device = "none"});
  CHECK(bench.all<wire::BootResult>().back().outcome == "refused");
  CHECK(bench.all<wire::BootResult>().back().errorCode == "busy");
  CHECK_THAT(bench.all<wire::BootResult>().back().error,
             Catch::Contains("whether the host's drives are being erased is not known"));
  bench.say(bench.request({5, 3, 2}));
  CHECK(bench.all<wire::EraseReport>().back().outcome == "refused");
  CHECK(bench.all<wire::EraseReport>().back().errorCode == "busy");
  bench.clock.advance(1min);
  bench.heal();
  bench.clock.advance(10s);
  bench.say(bench.grant({5, 3, 0}));
  CHECK_THAT(bench.command({5, 3, 3}, "on").error, Catch::Contains("are being erased"));  // it is followed
  for (auto& drive : bench.drives.drives) drive.looksLeft = 1;
  bench.clock.advance(10min);
  bench.say(bench.grant({5, 3, 0}));
  CHECK(bench.ask(bench.request({5, 3, 4})).outcome == "done");
  CHECK(bench.drives.areErasedOnce());
  CHECK_FALSE(bench.drives.lostPower);
}

TEST_CASE("a disk that stalls when a record is looked for again holds up no reading, and no other host's") {
  OnUnreadableDisk bench;
  bench.endWhileErasing();
  const auto stalling = std::make_shared<StallingDisk>(bench.runtime.executor);
  bench.files = stalling;
  bench.startAgain(3);
  stalling->stall();
  bench.heal();
  const auto beats = bench.all<wire::Heartbeat>().size();
  const auto facts = bench.all<wire::Facts>().size() + bench.all<wire::StillFresh>().size();
  bench.clock.advance(30s);
  CHECK(stalling->waiting() == 1);  // and not one more with each poll
  CHECK(bench.all<wire::Heartbeat>().size() >= beats + 10);
  CHECK(bench.all<wire::Facts>().size() + bench.all<wire::StillFresh>().size() > facts);
  bench.say(bench.grant({5, 3, 0}));
  CHECK_THAT(bench.command({5, 3, 1}, "on").error, Catch::Contains("is not known"));
  stalling->goOn();
  bench.clock.settle();
  CHECK_THAT(bench.command({5, 3, 2}, "on").error, Catch::Contains("its power stays as it is"));
  CHECK(bench.drives.areErasedOnce());
}

TEST_CASE("no other erasure begins beside one whose record could not be read for a while") {
  OnUnreadableDisk bench;
  bench.endWhileErasing();
  bench.startAgain(3);
  bench.heal();  // and the next poll of the power has not come yet
  const bool begins = GENERATE(true, false);
  auto other = bench.request({5, 3, 1}, "2");
  other.resumeOnly = !begins;
  bench.say(other);
  CHECK(bench.all<wire::EraseReport>().back().outcome == "refused");
  CHECK(bench.all<wire::EraseReport>().back().errorCode == "busy");
  bench.say(other);
  CHECK(bench.all<wire::EraseReport>().back().error == "another erasure of the host's drives is under way");
  CHECK(erasureOnDisk(bench.folder.path()).job == "1");
  for (auto& drive : bench.drives.drives) drive.looksLeft = 1;
  bench.clock.advance(1min);
  bench.say(bench.grant({5, 3, 0}));
  CHECK(bench.ask(bench.request({5, 3, 2})).outcome == "done");
  CHECK(bench.drives.areErasedOnce());
}

TEST_CASE("a job that is done is not begun again because its record cannot be read for a while") {
  OnUnreadableDisk bench;
  REQUIRE(bench.ask(bench.request({5, 2, 1})).outcome == "done");
  bench.stop();
  bench.spoil();
  bench.startAgain(3);
  const auto refused = bench.ask(bench.request({5, 3, 1}));
  CHECK(refused.outcome == "refused");
  CHECK(refused.errorCode == "busy");
  bench.clock.advance(1min);
  CHECK(bench.drives.areErasedOnce());
  bench.heal();
  bench.clock.advance(10s);
  bench.say(bench.grant({5, 3, 0}));
  CHECK(bench.ask(bench.request({5, 3, 2})).outcome == "done");
  CHECK(bench.drives.areErasedOnce());
  CHECK(bench.command({5, 3, 3}, "on").outcome == "done");
}

TEST_CASE("an agent that is stopped while the disk stalls ends, and what it had to write is written") {
  OnStallingDisk bench;
  bench.disk->stall();
  bench.say(bench.request({5, 2, 1}));
  bench.clock.advance(2s);
  REQUIRE(bench.disk->waiting() == 1);
  const auto asked = bench.clock.now();
  bench.stop();
  CHECK(bench.clock.now() - asked <= 5s);
  CHECK(bench.all<wire::EraseReport>().back().outcome == "running");
  CHECK(bench.onDisk().job.empty());
  bench.disk->goOn();
  bench.clock.settle();
  CHECK(bench.onDisk().job == "1");
  CHECK(bench.drives.erasures() == 0);
}

TEST_CASE("no file that an agent keeps is written on the loop: while the disk stalls it is not, and later it is") {
  TemporaryFolder folder;
  const std::vector<std::string> files{folder.path("refused.json"), folder.path("logs.json"),
                                       folder.path("sessions.json")};
  AgentBench bench("", files[0], files[1]);
  const auto disk = std::make_shared<StallingDisk>(bench.runtime.executor);
  bench.stop();
  bench.heard.clear();
  bench.files = disk;
  bench.sessions = files[2];
  bench.bmc.showLog(1, R"({"Id":"1","Created":"2026-11-20T10:00:00Z","Message":"m","Severity":"OK"})");
  disk->stall();
  bench.start();
  bench.greet();
  auto wanted = bench.grant({5, 1, 0});
  wanted.logPollMs = 60'000;
  bench.say(wanted);
  bench.clock.advance(1min);  // a session, and a log that is told
  bench.say(wire::LogAcknowledge{.host = "u1", .log = "/sel", .end = {"1", "2026-11-20T10:00:00Z"}});
  wanted.host = "u2";
  wanted.username = "operator";
  wanted.password = base::Secret("wrong");
  wanted.echoMs = bench.lastStamp();
  bench.say(wanted);
  const auto beats = bench.all<wire::Heartbeat>().size();
  bench.clock.advance(1min);
  CHECK(bench.all<wire::Heartbeat>().size() >= beats + 20);
  for (const auto& file : files) CHECK_FALSE(std::filesystem::exists(file));
  CHECK(disk->waiting() == files.size());
  disk->goOn();
  bench.clock.advance(1min);
  for (const auto& file : files) {
    INFO(file);
    CHECK(std::filesystem::exists(file));
  }
  bench.stop();
}

TEST_CASE("while the disk stalls a new term is obeyed, reported once it is written down, and stops no heartbeat") {
  Serving bench;
  bool isStalled = true;
  base::Notifier over(bench.runtime.executor);
  bench.disk.savingTerm = [&] { return bench.until(over, isStalled); };
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  CHECK(bench.command({5, 1, 1}).outcome == "refused");  // of the term before
  const auto beats = bench.all<wire::Heartbeat>().size();
  bench.clock.advance(30s);
  CHECK(bench.all<wire::Heartbeat>().size() >= beats + 10);
  CHECK(bench.lastHeartbeat().term == 5);
  isStalled = false;
  over.notifyAll();
  bench.clock.settle();
  CHECK(bench.lastHeartbeat().term == 6);
}
