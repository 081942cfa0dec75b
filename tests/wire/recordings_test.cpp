// The wire as agents of the last version speak it: tests/data/wire.
#include "base/file.hpp"
#include "wire/codec.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <set>

using namespace ingot;

namespace {

std::vector<std::filesystem::path> recordings() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator("tests/data/wire"))
    if (file.path().extension() == ".json") files.push_back(file.path());
  return files;
}

std::string bytesOf(const std::filesystem::path& file) {
  auto text = base::readFile(file.string());
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

}  // namespace

TEST_CASE("a message of each kind is read and written as it always was") {
  std::set<std::size_t> kinds;
  for (const auto& file : recordings()) {
    INFO(file.string());
    const auto bytes = bytesOf(file);
    const auto message = wire::decode(bytes);
    REQUIRE(message);
    CHECK(wire::kindOf(*message) == file.stem().string());
    CHECK(wire::encode(*message) == bytes);
    kinds.insert(message->index());
  }
  CHECK(kinds.size() == std::variant_size_v<wire::Message>);
}

TEST_CASE("what an agent of an earlier version leaves out, and one of a later version adds, is no error") {
  for (const auto& file : recordings()) {
    INFO(file.string());
    auto message = json::parse(bytesOf(file)).get_object();
    message["body"].as_object()["of a later version"] = json::Object{{"x", 1}};
    CHECK(wire::decode(json::serialize(message)));
  }
  const auto hello = wire::decode(R"({"v":1,"kind":"hello","body":{"name":"a","boot":"b"}})");
  REQUIRE(hello);
  CHECK(std::get<wire::Hello>(*hello).capabilities.empty());
  CHECK_FALSE(wire::decode(R"({"v":1,"kind":"of a later version","body":{}})"));
}
