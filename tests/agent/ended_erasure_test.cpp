// How an erasure has ended is on the disk, and is not held: hosts come and go.
#include "agent/erasure_records.hpp"
#include "base/sync.hpp"
#include "tests/agent/erase_serving.hpp"
#include "tests/support/stalling_disk.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct RecordsOnDisk : Loop {
  bmc::ErasureRecord over(const std::string& job) const {
    return {
        .job = job, .model = "m" + job, .drives = {{.serialNumber = "A", .state = "erased"}}, .endedAt = clock.wall()};
  }
  std::string modelOnDisk() {
    const auto record = run(records.readEnded("u1"));
    return record ? record->model : "";
  }

  TemporaryFolder folder;
  std::shared_ptr<StallingDisk> disk = std::make_shared<StallingDisk>(runtime.executor);
  std::shared_ptr<base::MemorySink> said = std::make_shared<base::MemorySink>();
  base::Runtime logging{io.get_executor(), clock, *random, base::Log(said, "test")};
  agent::ErasureRecords records{logging, folder.path(), disk};
  base::TaskGroup group{runtime.executor, runtime.log};
};

// Work that is begun on it fails for a while, as where no memory is left.
class FailingDisk final : public base::Offload {
 public:
  explicit FailingDisk(base::Executor executor) : inner_(base::inLineOffload(std::move(executor))) {}
  void start(Work work, Done done) override {
    ++starts;
    if (fails) work = [] { throw std::runtime_error("no memory is left"); };
    inner_->start(std::move(work), std::move(done));
  }
  bool fails = false;
  int starts = 0;

 private:
  std::unique_ptr<base::Offload> inner_;
};

}  // namespace

TEST_CASE("the record of an erasure that has ended is held by nobody, and read by whoever asks for it") {
  RecordsOnDisk bench;
  bench.run(bench.records.save("u1", bench.over("1")));
  CHECK_FALSE(bench.records.find("u1"));
  CHECK(bench.records.isOnDiskOnly("u1"));
  CHECK(bench.modelOnDisk() == "m1");
  agent::ErasureRecords again(bench.runtime, bench.folder.path());
  CHECK_FALSE(again.find("u1"));
  CHECK(again.isOnDiskOnly("u1"));
  bench.run(again.save("u1", {.job = "2"}));
  CHECK(again.find("u1")->job == "2");
  CHECK_FALSE(again.isOnDiskOnly("u1"));
  CHECK(base::readFile(bench.folder.path() + "/u1.1.json").find("m1") != std::string::npos);
  agent::ErasureRecords inMemory(bench.runtime, "");
  bench.run(inMemory.save("u1", bench.over("1")));
  CHECK(inMemory.find("u1")->model == "m1");  // nowhere else
}

TEST_CASE("one whose drives are at it is held, whatever its end says") {
  RecordsOnDisk bench;
  auto record = bench.over("1");
  record.drives.push_back({.serialNumber = "B", .state = "running"});
  bench.run(bench.records.save("u1", record));
  CHECK(bench.records.find("u1")->job == "1");
  CHECK(agent::ErasureRecords(bench.runtime, bench.folder.path()).find("u1")->job == "1");
}

TEST_CASE("the record of an erasure that has ended is held until it is written") {
  RecordsOnDisk bench;
  bench.disk->stall();
  bench.group.spawn("save", bench.records.save("u1", bench.over("1")));
  bench.clock.settle();
  CHECK(bench.records.find("u1")->job == "1");
  CHECK_FALSE(bench.records.isOnDiskOnly("u1"));
  SECTION("it is") {
    bench.disk->goOn();
    bench.clock.settle();
    CHECK_FALSE(bench.records.find("u1"));
    CHECK(bench.modelOnDisk() == "m1");
  }
  SECTION("another begins meanwhile") {
    bench.group.spawn("save", bench.records.save("u1", {.job = "2"}));
    bench.disk->goOn();
    bench.clock.settle();
    CHECK(bench.records.find("u1")->job == "2");
    CHECK_FALSE(bench.records.isOnDiskOnly("u1"));
  }
  SECTION("the disk does not take it") {
    std::filesystem::remove_all(bench.folder.path());
    bench.disk->goOn();
    bench.clock.settle();
    CHECK(bench.records.find("u1")->job == "1");
  }
  bench.run(bench.group.close());
}

TEST_CASE("the record of an erasure that has ended may be damaged, gone or unreadable when it is asked for") {
  RecordsOnDisk bench;
  bench.run(bench.records.save("u1", bench.over("1")));
  const auto file = bench.folder.path() + "/u1.json";
  std::filesystem::remove(file);
  CHECK_FALSE(bench.run(bench.records.readEnded("u1")));
  base::writeFileAtomically(file, "{", 0600);
  CHECK_FALSE(bench.run(bench.records.readEnded("u1")));
  CHECK(base::readFile(file + ".damaged") == "{");
  CHECK(bench.said->contains("the record of an erasure is damaged"));
  std::filesystem::create_symlink(file, file);
  CHECK_THROWS_WITH(bench.run(bench.records.readEnded("u1")), Catch::Contains(file));
}

TEST_CASE("a job that is done is told with its drives, and begun by nobody while that cannot be read") {
  TemporaryFolder folder;
  EraseServing bench;
  bench.erasures = folder.path();
  bench.startAgain();
  REQUIRE(bench.ask(bench.request({5, 2, 1})).outcome == "done");
  const bool restarts = GENERATE(false, true);
  const std::int64_t lease = restarts ? 3 : 2;
  if (restarts) bench.startAgain(lease);
  const auto file = folder.path() + "/u1.json", aside = folder.path() + "/aside";
  std::filesystem::rename(file, aside);
  std::filesystem::create_symlink(file, file);
  const auto refused = bench.ask(bench.request({5, lease, 2}));
  CHECK(refused.outcome == "refused");
  CHECK(refused.errorCode == "busy");
  CHECK_THAT(refused.error, Catch::Contains(file));
  CHECK(bench.command({5, lease, 3}, "on").outcome == "done");  // nothing is under way, that is known
  std::filesystem::rename(aside, file);
  bench.say(bench.grant({5, lease, 0}));
  const auto done = bench.ask(bench.request({5, lease, 4}));
  CHECK(done.outcome == "done");
  CHECK(done.serialNumber == "S1");
  REQUIRE(done.drives.size() == 2);
  CHECK(done.drives[0].verified);
  CHECK(bench.drives.areErasedOnce());
  bench.stop();
}

TEST_CASE("a disk that stalls when it is asked how an erasure has ended holds up nothing else") {
  TemporaryFolder folder;
  EraseServing bench;
  const auto disk = std::make_shared<StallingDisk>(bench.runtime.executor);
  bench.erasures = folder.path();
  bench.files = disk;
  bench.startAgain();
  REQUIRE(bench.ask(bench.request({5, 2, 1})).outcome == "done");
  disk->stall();
  const auto told = bench.all<wire::EraseReport>().size();
  bench.say(bench.request({5, 2, 2}));
  bench.say(bench.request({5, 2, 3}));
  CHECK(bench.command({5, 2, 4}, "on").outcome == "done");
  CHECK(bench.all<wire::EraseReport>().size() == told);
  disk->goOn();
  bench.clock.settle();
  const auto reports = bench.all<wire::EraseReport>();
  REQUIRE(reports.size() == told + 2);
  CHECK(reports.back().outcome == "done");
  CHECK(reports.back().drives.size() == 2);
  CHECK(bench.drives.areErasedOnce());
  bench.stop();
}

TEST_CASE("a record is looked for again however the last look at it ended") {
  TemporaryFolder folder;
  EraseServing bench;
  const auto disk = std::make_shared<FailingDisk>(bench.runtime.executor);
  bench.erasures = folder.path();
  bench.files = disk;
  const auto file = folder.path() + "/u1.json";
  base::makeFolder(folder.path(), 0700);
  std::filesystem::create_symlink(file, file);
  bench.startAgain();
  CHECK_THAT(bench.command({5, 2, 1}, "on").error, Catch::Contains("is not known"));
  disk->fails = true;
  disk->starts = 0;
  REQUIRE(bench.clock.advanceUntil([&] { return disk->starts > 0; }, 1min));
  disk->fails = false;
  std::filesystem::remove(file);
  bench.clock.advance(10s);
  bench.say(bench.grant({5, 2, 0}));
  CHECK(bench.command({5, 2, 2}, "on").outcome == "done");
  bench.stop();
}
