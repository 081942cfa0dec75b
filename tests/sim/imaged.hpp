// A disk as a deployment leaves it.
#pragma once

#include "base/subprocess.hpp"
#include "sim/machine/disk.hpp"
#include "tests/sim/bench.hpp"

#include <catch2/catch.hpp>

#include <fstream>

namespace ingot::tests {

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
    words.insert(words.begin(), "/usr/sbin/sfdisk");
    return command(std::move(words), std::move(input));
  }

  static base::ProcessResult command(std::vector<std::string> words, std::string input = {}) {
    boost::asio::io_context loop;
    base::SystemClock clock;
    auto runner = base::systemProcessRunner(loop.get_executor(), clock);
    base::ProcessResult result;
    boost::asio::co_spawn(loop, runner->run({.argv = std::move(words), .standardInput = std::move(input)}),
                          [&](std::exception_ptr error, base::ProcessResult r) {
                            if (error) std::rethrow_exception(error);
                            result = std::move(r);
                          });
    loop.run();
    return result;
  }

  ScratchFolder folder;
  sim::Disk disk;
};

}  // namespace ingot::tests
