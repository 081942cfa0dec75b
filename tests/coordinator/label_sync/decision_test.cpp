// Which labels go where (spec/capm3.md §19).
#include "coordinator/label_sync/decision.hpp"

#include "base/error.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

using namespace coordinator::label_sync;

TEST_CASE("§19 prefixes are a list of DNS subdomains with commas between", "[label_sync]") {
  CHECK(prefixesIn("").empty());
  CHECK(prefixesIn(" , ,").empty());
  CHECK(prefixesIn("a.example.com") == Prefixes{"a.example.com"});
  CHECK(prefixesIn(" a.example.com ,b,, a.example.com") == Prefixes{"a.example.com", "b"});
  for (const std::string wrong : {"A.example.com", "a_b", "a/b", "-a", "a b"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(prefixesIn("fine," + wrong),
                      Catch::Contains("metal3.io/metal3-label-sync-prefixes") && Catch::Contains("\"" + wrong + "\""));
  }
  CHECK_THROWS_AS(prefixesIn(std::string(254, 'a')), base::InvalidInput);
}

TEST_CASE("a label belongs to a prefix when that is all before the slash", "[label_sync]") {
  const Labels labels{
      {"a.example.com/rack", "1"}, {"x.a.example.com/rack", "2"}, {"a.example.com", "3"}, {"rack", "4"}};
  CHECK(under({"a.example.com"}, labels) == Labels{{"a.example.com/rack", "1"}});
  CHECK(under({}, labels).empty());
}

TEST_CASE("§19 a Node gets what the host has under the prefixes, and keeps nothing else there", "[label_sync]") {
  const Prefixes ours{"a", "b"};
  const Labels node{{"a/same", "1"}, {"a/other", "old"}, {"b/gone", "1"}, {"c/theirs", "1"}, {"plain", "1"}};
  CHECK(changesFor(ours, {{"a/same", "1"}, {"a/other", "new"}, {"b/new", ""}}, node) ==
        Changes{{"a/other", "new"}, {"b/gone", std::nullopt}, {"b/new", ""}});
  CHECK(changesFor(ours, under(ours, node), node).empty());
  CHECK(changesFor({}, {}, node).empty());
}

}  // namespace ingot::tests
