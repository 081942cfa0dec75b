#include "kube/schema/pattern.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <optional>
#include <vector>

using ingot::kube::Pattern;

TEST_CASE("patterns of the same text find the same, also when one of them is gone", "[schema][pattern]") {
  std::optional<Pattern> first("^a+$");
  const Pattern second("^a+$"), other("^b+$");
  first.reset();
  CHECK(second.found("aa"));
  CHECK_FALSE(second.found("bb"));
  CHECK(other.found("bb"));
  CHECK_FALSE(other.found("aa"));
}

TEST_CASE("what is no expression is refused each time", "[schema][pattern]") {
  for (int time = 0; time < 2; ++time) CHECK_THROWS_AS(Pattern("a("), ingot::base::InvalidInput);
}

TEST_CASE("more patterns than are kept compiled work all the same", "[schema][pattern]") {
  std::vector<Pattern> used;
  for (int i = 0; i < 200; ++i) {
    used.emplace_back(fmt::format("^used{}$", i));
    CHECK(Pattern(fmt::format("^once{}$", i)).found(fmt::format("once{}", i)));
  }
  for (int i = 0; i < 200; ++i) CHECK(used[i].found(fmt::format("used{}", i)));
}
