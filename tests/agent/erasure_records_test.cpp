// The records that an agent keeps of erasures.
#include "agent/erasure_records.hpp"

#include "base/file.hpp"
#include "base/sync.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/stalling_disk.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace ingot::tests;

TEST_CASE("the record of an erasure before is kept beside that of the last") {
  TemporaryFolder folder;
  Loop loop;
  agent::ErasureRecords records(loop.runtime, folder.path());
  loop.run(records.save("u1", {.job = "1", .model = "before"}));
  agent::ErasureRecords again(loop.runtime, folder.path());
  loop.run(again.save("u1", {.job = "2"}));
  loop.run(again.save("u1", {.job = "2", .model = "now"}));
  CHECK(again.find("u1")->model == "now");
  CHECK(base::readFile(folder.path() + "/u1.1.json").find("before") != std::string::npos);
}

TEST_CASE("a record that is damaged is set aside and counts as none") {
  TemporaryFolder folder;
  const auto file = folder.path() + "/u1.json";
  Loop loop;
  base::makeFolder(folder.path(), 0700);
  base::writeFileAtomically(file, "{\"job\":", 0600);
  base::writeFileAtomically(folder.path() + "/u2.json", R"({"job":"3"})", 0600);
  agent::ErasureRecords records(loop.runtime, folder.path());
  CHECK_FALSE(records.find("u1"));
  CHECK(base::readFile(file + ".damaged") == "{\"job\":");
  loop.run(records.save("u1", {.job = "2"}));
  CHECK(records.find("u1")->job == "2");
  CHECK_THROWS_AS(loop.run(records.save("../u1", {.job = "2"})), base::Error);
  CHECK(records.find("u2"));
  CHECK_FALSE(records.find("../u2"));
}

TEST_CASE("records are read when they are opened, and not looked for on the disk afterwards") {
  TemporaryFolder folder;
  Loop loop;
  base::makeFolder(folder.path(), 0700);
  base::writeFileAtomically(folder.path() + "/u1.json", R"({"job":"2"})", 0600);
  base::writeFileAtomically(folder.path() + "/u1.1.json", R"({"job":"1"})", 0600);  // the certificate of one before
  agent::ErasureRecords records(loop.runtime, folder.path());
  std::filesystem::remove(folder.path() + "/u1.json");
  CHECK(records.find("u1")->job == "2");
  base::writeFileAtomically(folder.path() + "/u2.json", R"({"job":"1"})", 0600);
  CHECK_FALSE(records.find("u2"));
  CHECK_FALSE(records.find("u1.1"));
}

TEST_CASE("a record that could not be read is known once it is read again, and not written over before") {
  TemporaryFolder folder;
  Loop loop;
  const auto file = folder.path() + "/u1.json";
  base::makeFolder(folder.path(), 0700);
  std::filesystem::create_symlink(file, file);
  const auto disk = std::make_shared<StallingDisk>(loop.runtime.executor);
  agent::ErasureRecords records(loop.runtime, folder.path(), disk);
  CHECK_THROWS_WITH(records.find("u1"), Catch::Contains(file));
  CHECK_THROWS_AS(loop.run(records.save("u1", {.job = "2"})), base::Error);
  loop.run(records.readAgain("u1"));
  CHECK_THROWS_AS(records.find("u1"), base::Error);
  std::filesystem::remove(file);
  base::writeFileAtomically(file, R"({"job":"1"})", 0600);
  disk->stall();
  base::TaskGroup group(loop.runtime.executor, loop.runtime.log);
  group.spawn("read", records.readAgain("u1"));
  loop.clock.settle();
  CHECK_THROWS_AS(records.find("u1"), base::Error);
  disk->goOn();
  loop.clock.settle();
  CHECK(records.find("u1")->job == "1");
  loop.run(group.close());
}

TEST_CASE("a record is known from the moment on that it is to be written") {
  TemporaryFolder folder;
  Loop loop;
  const auto disk = std::make_shared<StallingDisk>(loop.runtime.executor);
  agent::ErasureRecords records(loop.runtime, folder.path(), disk);
  loop.run(records.save("u1", {.job = "1"}));
  disk->stall();
  base::TaskGroup group(loop.runtime.executor, loop.runtime.log);
  group.spawn("save", records.save("u1", {.job = "2"}));
  loop.clock.settle();
  CHECK(records.find("u1")->job == "2");
  CHECK(agent::ErasureRecords(loop.runtime, folder.path()).find("u1")->job == "1");
  CHECK(group.running() == 1);  // it waits for the disk
  disk->goOn();
  loop.clock.settle();
  CHECK(group.running() == 0);
  CHECK(agent::ErasureRecords(loop.runtime, folder.path()).find("u1")->job == "2");
  loop.run(group.close());
}
