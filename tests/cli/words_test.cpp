// Host ranges, durations, ages: the small languages of the command line.
#include "base/error.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/host_range.hpp"
#include "cli/words/plain_text.hpp"

#include <fmt/ranges.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

std::string expanded(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(cli::expandHosts(words), " "));
}

}  // namespace

TEST_CASE("text of others is one line that neither moves the cursor nor hides or turns text", "[cli][words]") {
  CHECK(cli::plainText("no host: caf\u00e9") == "no host: caf\u00e9");
  CHECK(cli::plainText("a\nb\tc\r\u2028\n") == "a b c");
  CHECK(cli::plainText("\x1b[2J\x7f") == "\\u001b[2J\\u007f");
  CHECK(cli::plainText("\u009b8m\u202e\u2066\u200b\ufeff") == "\\u009b8m\\u202e\\u2066\\u200b\\ufeff");
  CHECK(cli::plainText(std::string_view("\0\xff", 2)) == "\\u0000\ufffd");
  CHECK(cli::plainCell("0.1   SHA256:x") == "0.1 SHA256:x");
}

TEST_CASE("host ranges expand in the order written, each name once", "[cli][range]") {
  struct Row {
    std::vector<std::string> words;
    std::string names;
  };
  const Row rows[] = {
      {{"node01"}, "node01"},
      {{"a", "b"}, "a b"},
      {{"a,b"}, "a b"},
      {{"node[1-3]"}, "node1 node2 node3"},
      {{"node[01-03,20]"}, "node01 node02 node03 node20"},
      {{"node[08-11]"}, "node08 node09 node10 node11"},
      {{"node[8-11]"}, "node8 node9 node10 node11"},
      {{"node[098-101]"}, "node098 node099 node100 node101"},
      {{"r[1-2]n[1-2]"}, "r1n1 r1n2 r2n1 r2n2"},
      {{"r[1]-bmc.example"}, "r1-bmc.example"},
      {{"n[1-2],m[3]", "n2"}, "n1 n2 m3"},
      {{}, ""},
  };
  for (const Row& row : rows) CHECK(expanded(row.words) == row.names);
}

TEST_CASE("many names are told in few letters, which mean the same names", "[cli][range]") {
  for (const auto& [names, text] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, ""},
           {{"spare"}, "spare"},
           {{"n1"}, "n1"},
           {{"n1", "n2", "n3"}, "n[1-3]"},
           {{"n08", "n09", "n10", "n12", "spare"}, "n[08-10,12] spare"},
           {{"n9", "n10"}, "n[9-10]"},
           {{"n1", "n02"}, "n[1,02]"},
           {{"n3", "n2"}, "n[3,2]"},
           {{"r1n1", "r1n2", "r2n1"}, "r1n[1-2] r2n1"},
           {{"1.example", "2.example"}, "[1-2].example"},
           {{"n1", "m2"}, "n1 m2"},
           {{"n999999999", "n1000000000"}, "n999999999 n1000000000"},
       }) {
    CHECK(cli::compactHosts(names) == text);
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find(' ', at), text.size());
      words.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    CHECK(cli::expandHosts(words) == names);
  }
}

TEST_CASE("a broken host range says what is wrong with it", "[cli][range]") {
  struct Row {
    std::string word, problem;
  };
  const Row rows[] = {
      {"node[1-3", "never closed"},         {"node1-3]", "without \"[\""},     {"node[]", "a number is missing"},
      {"node[a-c]", "a number is missing"}, {"node[3-1]", "runs backwards"},   {"node[1-]", "a number is missing"},
      {"node[1 2]", "only numbers"},        {"a,,b", "a name is missing"},     {"", "a name is missing"},
      {"a,", "a name is missing"},          {"n[1-20000]", "more than 10000"}, {"n[0-999][0-999]", "more than 10000"},
      {"n[12345678901]", "too long"},
  };
  for (const Row& row : rows)
    CHECK_THROWS_WITH(cli::expandHosts({row.word}), Catch::Contains(row.problem) && Catch::Contains("node[01-12,20]"));
}

TEST_CASE("durations are written with their unit", "[cli][duration]") {
  CHECK(cli::parseDuration("90s") == 90s);
  CHECK(cli::parseDuration("10m") == 10min);
  CHECK(cli::parseDuration("1h30m") == 90min);
  CHECK(cli::parseDuration("500ms") == 500ms);
  CHECK(cli::parseDuration("2d") == 48h);
  for (const char* wrong : {"", "10", "m", "10 m", "-5s", "1.5h", "5x", "4000000000d"})
    CHECK_FALSE(cli::parseDuration(wrong));
}

TEST_CASE("ages look like kubectl's", "[cli][duration]") {
  struct Row {
    base::Duration age;
    std::string text;
  };
  const Row rows[] = {{0s, "0s"},   {-5s, "0s"},         {33s, "33s"},      {119s, "119s"},      {137s, "2m17s"},
                      {3min, "3m"}, {14min + 9s, "14m"}, {179min, "179m"},  {5h + 3min, "5h3m"}, {8h, "8h"},
                      {47h, "47h"}, {74h, "3d2h"},       {10 * 24h, "10d"}, {800 * 24h, "2y70d"}};
  for (const Row& row : rows) CHECK(cli::ageText(row.age) == row.text);
}
