// What is worth knowing after a restart, on a disk that is full for a while.
#include "bmc/kept_file.hpp"
#include "base/file.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/stalling_disk.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("what a full disk did not take of a kept file is written once there is room, and told of once") {
  Loop loop;
  const TemporaryFolder scratch;
  std::filesystem::create_directories(scratch.path());
  const auto file = scratch.path() + "/kept.json";
  const auto said = std::make_shared<base::MemorySink>();
  const base::Runtime runtime{loop.io.get_executor(), loop.clock, *loop.random, base::Log(said, "test")};
  std::string content = "first";
  bmc::KeptFile kept(runtime, file, "the list of things", [&] { return content; });
  kept.changed();
  loop.clock.advance(10s);
  REQUIRE(base::readFile(file) == "first");
  {
    const FullDisk full;
    content = "second";
    kept.changed();
    loop.clock.advance(10min);
  }
  CHECK(base::readFile(file) == "first");
  const auto told = [&] {
    return std::ranges::count_if(said->lines(), [](const auto& line) {
      return line.find("the list of things cannot be written") != std::string::npos;
    });
  };
  CHECK(told() == 1);
  loop.clock.advance(2min);
  CHECK(base::readFile(file) == "second");
  CHECK(said->contains("the list of things is written again"));
  const auto left = std::distance(std::filesystem::directory_iterator(scratch.path()), {});
  CHECK(left == 1);  // nothing half written lies about
}

TEST_CASE("a disk that stalls holds nobody up who has something to keep, and gets the latest of it") {
  Loop loop;
  const TemporaryFolder scratch;
  std::filesystem::create_directories(scratch.path());
  const auto file = scratch.path() + "/kept.json";
  const auto disk = std::make_shared<StallingDisk>(loop.runtime.executor);
  std::string content = "first";
  auto kept = std::make_unique<bmc::KeptFile>(loop.runtime, file, "the list of things", [&] { return content; }, disk);
  disk->stall();
  kept->changed();
  loop.clock.advance(10s);
  CHECK_FALSE(base::readFileIfExists(file));
  for (int i = 0; i < 10; ++i) {
    content = fmt::format("later {}", i);
    kept->changed();
    loop.clock.advance(10s);
  }
  CHECK(disk->waiting() == 1);
  disk->goOn();
  loop.clock.advance(1s);
  CHECK(base::readFile(file) == "later 9");
  content = "last";
  SECTION("in the middle of a write") {
    disk->stall();
    kept->changed();
    loop.clock.advance(10s);
    content = "the very last";
    kept->changed();
    loop.clock.advance(10s);
  }
  SECTION("before it") { kept->changed(); }
  kept.reset();
  disk->goOn();
  CHECK(base::readFile(file) == content);
  loop.clock.advance(1min);  // what was told late finds nobody
}
