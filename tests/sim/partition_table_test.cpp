#include "sim/ramdisk/partition_table.hpp"

#include "base/error.hpp"
#include "base/subprocess.hpp"
#include "sim/ramdisk/gpt.hpp"
#include "tests/sim/bench.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

// A disk onto which an image of 16 MiB, partitioned by sfdisk, was copied.
struct Imaged {
  explicit Imaged(const std::string& label, std::int64_t sizeMiB = 256)
      : disk({.name = "/dev/sda", .sizeMiB = sizeMiB}, folder.path + "/disk.img") {
    const auto image = folder.path + "/image.raw";
    std::ofstream{image}.close();
    std::filesystem::resize_file(image, 16u << 20);
    const auto made = sfdisk({"--quiet", image}, "label: " + label + "\nstart=2048, size=20480\n");
    REQUIRE(made.exitCode == 0);
    std::ifstream in(image, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    disk.write(0, bytes);
  }

  base::ProcessResult sfdisk(std::vector<std::string> words, std::string input = {}) {
    boost::asio::io_context loop;
    base::SystemClock clock;
    auto runner = base::systemProcessRunner(loop.get_executor(), clock);
    words.insert(words.begin(), "/usr/sbin/sfdisk");
    base::ProcessResult result;
    boost::asio::co_spawn(loop, runner->run({.argv = std::move(words), .standardInput = std::move(input)}),
                          [&](std::exception_ptr error, base::ProcessResult r) {
                            if (error) std::rethrow_exception(error);
                            result = std::move(r);
                          });
    loop.run();
    return result;
  }

  tests::ScratchFolder folder;
  sim::Disk disk;
};

}  // namespace

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
