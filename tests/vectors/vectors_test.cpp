// Runs every registered runner over its file; see vector_runner.hpp (spec/capm3.md §4, §5, §17, spec/ipam.md §7–§12).
#include "tests/vectors/deviations.hpp"
#include "tests/vectors/files.hpp"
#include "tests/vectors/vector_runner.hpp"

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

vectors::Outcome outcomeOf(const vectors::Run& run, const vectors::Line& line) {
  try {
    return run(line);
  } catch (const std::exception& e) {
    return vectors::Difference{.want = "an answer", .got = std::string("exception: ") + e.what()};
  }
}

Tally runFile(const std::string& name, const std::string& path, const vectors::Deviations& deviations) {
  Tally tally;
  for (const auto& line : vectors::readLines(path)) {
    const auto difference = outcomeOf(vectors::runners().at(name), line);
    const auto listed = deviations.find(name, line, difference);
    if (!difference && !listed.empty()) {
      tally.failures.push_back(line.name + ": listed as a deviation, but we agree");
    } else if (!difference) {
      ++tally.passed;
    } else if (!listed.empty()) {
      ++tally.deviating;
      tally.used.insert(listed.begin(), listed.end());
    } else {
      tally.failures.push_back(fmt::format("{}: want {}\n    got {}", line.name, difference->want, difference->got));
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

// Each .jsonl of the folder.
std::vector<std::filesystem::path> filesOf(const std::string& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

}  // namespace

TEST_CASE(
    "capm3 §4, §5, §17.1, §17.2, ipam §7.1, §7.2, §7.4, §7.5, §8.2, §11, §12.2 we answer every vector as upstream "
    "does, or say why not",
    "[vectors]") {
  const auto deviations = vectors::Deviations::read(INGOT_SOURCE_DIR "/tests/data/deviations.yaml");
  std::set<const vectors::Deviation*> used;
  const auto files = filesOf(vectors::folder());
  CHECK_FALSE(files.empty());
  for (const auto& path : files) {
    const std::string name = path.stem();
    INFO(path.string());
    if (!vectors::runners().contains(name)) {
      FAIL_CHECK("no runner answers this file");
      continue;
    }
    const Tally tally = runFile(name, path, deviations);
    report(name, tally);
    CHECK(tally.failures.empty());
    CHECK(tally.passed > 0);
    used.insert(tally.used.begin(), tally.used.end());
  }
  if (!vectors::isDefaultFolder()) return;
  for (const auto* listed : deviations.all()) {
    INFO("no line differs as listed: " << listed->name << listed->nameBegins << listed->errorContains
                                       << listed->inContains << listed->outContains << " (" << listed->reason << ")");
    CHECK(used.contains(listed));
  }
}

TEST_CASE("every runner has a file of ours, and every file a runner", "[vectors]") {
  std::set<std::string> files, runners;
  for (const auto& path : filesOf(INGOT_SOURCE_DIR "/tests/data/vectors")) files.insert(path.stem());
  for (const auto& [name, run] : vectors::runners()) runners.insert(name);
  CHECK(files == runners);
}
