// The records that an agent keeps of erasures.
#include "agent/erasure_records.hpp"

#include "base/file.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

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
  agent::ErasureRecords records(loop.runtime, folder.path());
  base::writeFileAtomically(file, "{\"job\":", 0600);
  CHECK_FALSE(records.find("u1"));
  CHECK(base::readFile(file + ".damaged") == "{\"job\":");
  loop.run(records.save("u1", {.job = "2"}));
  CHECK(records.find("u1")->job == "2");
  CHECK_THROWS_AS(loop.run(records.save("../u1", {.job = "2"})), base::Error);
  base::writeFileAtomically(folder.path("u2.json"), R"({"job":"3"})", 0600);
  CHECK_FALSE(records.find("../u2"));
}
