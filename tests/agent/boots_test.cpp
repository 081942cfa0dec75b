// Whether an earlier process of the same agent has certainly ended.
#include "agent/boots.hpp"
#include "base/file.hpp"
#include "base/random.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace ingot;
using Boots = std::vector<std::string>;

namespace {

struct Folder {
  Folder() : path((std::filesystem::temp_directory_path() / ("ingot-boots-" + base::systemRandom()->uuid())).string()) {
    base::makeFolder(path);
    std::ofstream(path + "/lock");
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] Boots begin(const std::string& boot, const std::string& machine = "m1") const {
    return agent::beginBoot(base::Log::silent(), path, path + "/lock", machine, boot);
  }
  std::string path;
};

}  // namespace

TEST_CASE("processes that ran on the same folder are over") {
  const Folder folder;
  CHECK(folder.begin("one").empty());
  CHECK(folder.begin("two") == Boots{"one"});
  CHECK(folder.begin("three") == Boots{"one", "two"});
}

TEST_CASE("a copy of the folder proves nothing, and neither does another boot of the machine, or a broken file") {
  const Folder folder, copy;
  REQUIRE(folder.begin("one").empty());
  SECTION("a copy") {
    std::filesystem::copy_file(folder.path + "/boots", copy.path + "/boots");
    CHECK(copy.begin("two").empty());
  }
  SECTION("another boot") { CHECK(folder.begin("two", "m2").empty()); }
  SECTION("nobody knows which boot") {
    CHECK(folder.begin("two", "").empty());
    CHECK(folder.begin("three", "").empty());
  }
  SECTION("a broken file") {
    std::ofstream(folder.path + "/boots") << "{ torn";
    CHECK(folder.begin("two").empty());
  }
}

TEST_CASE("only the latest processes are remembered") {
  const Folder folder;
  Boots ended;
  for (int i = 0; i < 100; ++i) ended = folder.begin(std::to_string(i));
  CHECK(ended.size() == 32);
  CHECK(ended.back() == "98");
}
