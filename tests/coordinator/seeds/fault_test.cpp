// When a fault counts as met.
#include "tests/coordinator/seeds/fault.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::seeds {

TEST_CASE("a fault counts once it has come to what it is, and strikes again until then", "[seeds]") {
  const Pair pair{"data: POST secrets", Fault::diesAfter};
  Coverage coverage;
  Fates fates(coverage);
  fates.arm(pair, 2);
  CHECK_FALSE(fates.pass(pair.write));
  CHECK_FALSE(fates.pass("another"));
  const auto first = fates.pass(pair.write);
  REQUIRE(first);
  CHECK(coverage.hit.empty());
  CHECK_FALSE(fates.pass(pair.write));  // it is at work
  fates.end(*first, false);
  CHECK(coverage.hit.empty());
  const auto second = fates.pass(pair.write);
  REQUIRE(second);
  fates.end(*second, true);
  CHECK(coverage.hit.contains(pair));
  CHECK_FALSE(fates.pass(pair.write));
}

}  // namespace ingot::tests::seeds
