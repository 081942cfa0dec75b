#include "sim/ramdisk/partition_table.hpp"

#include "base/error.hpp"
#include "sim/ramdisk/gpt.hpp"
#include "tests/sim/imaged.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using tests::Imaged;

TEST_CASE("a config partition goes to the disk's end, and sfdisk finds nothing wrong") {
  for (const std::string label : {"gpt", "dos"}) {
    INFO(label);
    Imaged bench(label);
    const auto where = sim::ramdisk::makeConfigPartition(bench.disk, 400'000);
    CHECK(where.length == 64u << 20);
    CHECK(where.offset % (1u << 20) == 0);
    CHECK(where.offset + where.length <= bench.disk.size());
    CHECK(where.offset + where.length > bench.disk.size() - (3u << 20));
    const auto report = bench.sfdisk({"--verify", bench.disk.path()});
    CHECK_THAT(report.standardOutput + report.standardError, Catch::Contains("No errors detected"));
  }
}

TEST_CASE("a config partition that the image brought along is used") {
  Imaged bench("gpt");
  const auto first = sim::ramdisk::makeConfigPartition(bench.disk, 400'000);
  const auto again = sim::ramdisk::makeConfigPartition(bench.disk, 300'000);
  REQUIRE(again.offset == first.offset);
}

TEST_CASE("no room or no partition table is said in words") {
  Imaged small("gpt", 40);
  REQUIRE_THROWS_WITH(sim::ramdisk::makeConfigPartition(small.disk, 1), Catch::Contains("no room for a config drive"));
  small.disk.eraseAll();
  REQUIRE_THROWS_WITH(sim::ramdisk::makeConfigPartition(small.disk, 1), Catch::Contains("no partition table"));
}

TEST_CASE("a damaged GPT is not trusted") {
  Imaged bench("gpt");
  bench.disk.write(512 + 40, "\xff");
  REQUIRE_THROWS_WITH(sim::ramdisk::makeConfigPartition(bench.disk, 1), Catch::Contains("damaged"));
}
