// The disk of an agent is full from any request of an erasure on: no drive is erased that is not on record, none is
// erased twice, none loses its power, and free space is enough.
#include "tests/agent/erase_serving.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct EraseOnDisk : EraseServing {
  explicit EraseOnDisk(int request) : fullFrom(request) {
    erasures = folder.path();
    startAgain();
    drives.instead = [this](const net::ServerRequest& request) {
      if (++requests == fullFrom) full.emplace();
      if (request.method == "POST" && request.path().ends_with("/erase")) judgeErasure(request);
      return std::nullopt;
    };
  }
  ~EraseOnDisk() { stop(); }  // it still asks its BMC
  [[nodiscard]] bmc::ErasureRecord onDisk() const { return erasureOnDisk(folder.path()); }
  void judgeErasure(const net::ServerRequest& request) {
    const auto record = onDisk();
    const auto isOnRecord = [&](const auto& drive) {
      return request.path().starts_with(drive.path) && stateOf(drive) == bmc::ErasureState::running;
    };
    if (std::ranges::none_of(record.drives, isOnRecord)) ++unrecorded;
  }

  TemporaryFolder folder;
  int fullFrom, requests = 0, unrecorded = 0;
  std::optional<FullDisk> full;
};

}  // namespace

TEST_CASE("a disk that is full from any request of an erasure on keeps every promise, and heals by itself") {
  int sent = 0, refused = 0;
  for (int request = 1; refused < 1000; ++request) {
    INFO("full from request " << request);
    EraseOnDisk bench(request);
    const auto first = bench.ask(bench.request({5, 2, 1}));
    CHECK(bench.unrecorded == 0);
    const bool wasFull = bench.full.has_value();
    sent += bench.drives.erasures() > 0 ? 1 : 0;
    if (!wasFull) {
      CHECK(first.outcome == "done");
      CHECK(request > 10);
      break;
    }
    ++refused;
    CHECK(first.outcome == "failed");
    CHECK(first.errorCode == "journal");
    CHECK(first.error.find(bench.folder.path()) != std::string::npos);
    CHECK(bench.said->contains("the record of an erasure cannot be written"));
    CHECK_FALSE(bench.onDisk().endedAt);
    CHECK_FALSE(bench.drives.isErasing());  // what was under way was followed to its end
    bench.full.reset();
    bench.fullFrom = 0;
    bench.say(bench.grant({5, 2, 0}));
    const auto second = bench.ask(bench.request({5, 2, 2}));
    CHECK(second.outcome == "done");
    CHECK(bench.drives.areErasedOnce());
    CHECK(bench.unrecorded == 0);
    CHECK(bench.onDisk().endedAt);
    CHECK_FALSE(bench.drives.lostPower);
  }
  CHECK(sent > 3);
}

TEST_CASE("an agent that dies on a full disk in the middle of an erasure goes by what is on record") {
  for (int request = 1;; ++request) {
    INFO("full from request " << request);
    EraseOnDisk bench(request);
    for (auto& drive : bench.drives.drives) drive.looks = 20;
    bench.say(bench.request({5, 2, 1}));
    if (!bench.clock.advanceUntil([&] { return bench.full || bench.isOver(); }, 30min)) FAIL("it does not go on");
    if (!bench.full) break;
    bench.clock.advance(3s);
    bench.restart(3);  // on the full disk
    bench.clock.advance(5s);
    CHECK_FALSE(bench.drives.lostPower);
    bench.full.reset();
    bench.fullFrom = 0;
    bench.clock.advance(5min);  // what was under way is followed without being asked
    bench.say(bench.grant({5, 3, 0}));
    CHECK(bench.ask(bench.request({5, 3, 2})).outcome == "done");
    CHECK(bench.unrecorded == 0);
    CHECK_FALSE(bench.drives.lostPower);
    CHECK_FALSE(bench.drives.askedWhileBusy);
    for (const auto& drive : bench.drives.drives) CHECK_FALSE(drive.erasures.empty());
  }
}
