// spec/capm3.md §18: what the Nodes of a workload cluster may do to remediations.
#include "tests/coordinator/remediation/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

TEST_CASE("a Node that never rests has its remediation look at it once a second", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.settle(10s);
  REQUIRE(site.node());
  const int passes = site.passes(), retries = site.retries();
  for (int i = 0; i < 1000; ++i) {
    site.workload.patch<kube::Node>({"", "n1"}, fmt::format(R"({{"metadata":{{"labels":{{"i":"{}"}}}}}})", i));
    site.settle(1ms);
  }
  CHECK(site.passes() > passes);
  CHECK(site.passes() <= passes + 3);
  CHECK(site.retries() <= retries + 3);
}

}  // namespace ingot::tests
