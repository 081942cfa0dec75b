// Runs every registered runner over its file; see vector_runner.hpp.
#include "tests/vectors/deviations.hpp"
#include "tests/vectors/files.hpp"
#include "tests/vectors/registry.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>

using namespace ingot;

namespace {

struct Tally {
  int passed = 0, deviating = 0;
  std::vector<std::string> failures;
  std::set<const vectors::Deviation*> used;  // entries by which a line differs
};

std::string differenceOf(const vectors::Run& run, const vectors::Line& line) {
  try {
    return run(line);
  } catch (const std::exception& e) {
    return std::string("exception: ") + e.what();
  }
}

Tally runFile(const std::string& name, const std::string& path, const vectors::Deviations& deviations) {
  Tally tally;
  for (const auto& line : vectors::readLines(path)) {
    const std::string difference = differenceOf(vectors::runners().at(name), line);
    const auto* listed = deviations.find(name, line, difference);
    if (difference.empty() && listed && !listed->name.empty()) {
      tally.failures.push_back(line.name + ": listed as a deviation, but we agree");
    } else if (difference.empty()) {
      ++tally.passed;
    } else if (listed) {
      ++tally.deviating;
      tally.used.insert(listed);
    } else {
      tally.failures.push_back(line.name + ": " + difference);
    }
  }
  return tally;
}

void report(const std::string& name, const Tally& tally) {
  fmt::print("{}: passed {} deviating {} failed {}\n", name, tally.passed, tally.deviating, tally.failures.size());
  const std::size_t shown = std::min<std::size_t>(tally.failures.size(), 20);
  for (std::size_t i = 0; i < shown; ++i) fmt::print("  {}\n", tally.failures[i]);
  std::fflush(stdout);
}

}  // namespace

TEST_CASE("we answer every vector as upstream does, or say why not", "[vectors]") {
  const auto deviations = vectors::Deviations::read(INGOT_SOURCE_DIR "/tests/data/deviations.yaml");
  int files = 0;
  std::set<const vectors::Deviation*> used;
  for (const auto& entry : std::filesystem::directory_iterator(vectors::folder())) {
    const std::string name = entry.path().stem();
    if (entry.path().extension() != ".jsonl" || !vectors::runners().contains(name)) continue;
    ++files;
    const Tally tally = runFile(name, entry.path(), deviations);
    report(name, tally);
    CHECK(tally.failures.empty());
    CHECK(tally.passed > 0);
    used.insert(tally.used.begin(), tally.used.end());
  }
  CHECK(files > 0);
  if (!vectors::isDefaultFolder()) return;
  for (const auto* listed : deviations.all()) {
    INFO("lines differ otherwise than listed: " << listed->name << listed->nameBegins << listed->errorContains
                                                << listed->inContains << listed->outContains << " (" << listed->reason
                                                << ")");
    CHECK(used.contains(listed) != listed->absentHere);
  }
}

TEST_CASE("every file of ours has a runner", "[vectors]") {
  for (const auto& entry : std::filesystem::directory_iterator(INGOT_SOURCE_DIR "/tests/data/vectors")) {
    if (entry.path().extension() != ".jsonl") continue;
    INFO(entry.path().filename().string());
    CHECK(vectors::runners().contains(entry.path().stem()));
  }
}
