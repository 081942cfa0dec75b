// spec/capm3.md §13.2: what the Nodes of a workload cluster may do to the machines that wait for theirs.
#include "coordinator/machine/waiting.hpp"
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

kube::Node nodeCalled(const std::string& name, const std::string& uuid = "") {
  kube::Node node;
  node.metadata.name = name;
  if (!uuid.empty()) node.metadata.labels["metal3.io/uuid"] = uuid;
  return node;
}

// Each millisecond something of it changes.
void flood(MachineSite& site, const std::string& node, int times) {
  for (int i = 0; i < times; ++i) {
    site.workload.patch<kube::Node>({"", node}, fmt::format(R"({{"metadata":{{"labels":{{"i":"{}"}}}}}})", i));
    site.settle(1ms);
  }
}

}  // namespace

TEST_CASE("§13.2 a cluster whose Nodes never rest has a machine look at them once a second", "[machine][news]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.state("h1", "provisioned");
  site.workload.create(nodeCalled("other"));
  site.settle(10s);
  REQUIRE_FALSE(site.isProvisioned("m1"));
  const int passes = site.passes(), retries = site.retries();
  flood(site, "other", 1000);
  CHECK(site.passes() > passes);
  CHECK(site.passes() <= passes + 3);
  CHECK(site.retries() <= retries + 3);
  SECTION("and not later") {
    site.workload.create(nodeCalled("n1", site.host("h1").metadata.uid));
    flood(site, "other", 1000);
    CHECK(site.isProvisioned("m1"));
  }
  SECTION("and not later when something else has had it look meanwhile") {
    site.settle(10s);
    flood(site, "other", 10);
    site.patch<Metal3Machine>("m1", R"({"metadata":{"labels":{"a":"b"}}})");
    site.settle(1ms);
    site.workload.create(nodeCalled("n1", site.host("h1").metadata.uid));
    site.settle(1s);
    CHECK(site.isProvisioned("m1"));
  }
  SECTION("and at once after a rest") {
    site.settle(5s);
    site.workload.create(nodeCalled("n1", site.host("h1").metadata.uid));
    site.settle(1ms);
    CHECK(site.isProvisioned("m1"));
  }
}

TEST_CASE("§13.2 a Node that names a host of another cluster's machine wakes nobody", "[machine][news]") {
  coordinator::machine::Waiting waiting;
  const kube::ObjectKey machine{"metal", "m1"}, own{"metal", "c1"}, other{"tenant", "c1"};
  waiting.forNode(machine, own, {.name = "h1", .namespace_ = "metal", .uid = "uid-of-h1"});
  kube::Node node = nodeCalled("n1", "uid-of-h1");
  if (GENERATE(false, true)) {
    node = nodeCalled("n1");
    node.spec.providerId = "metal3://metal/h1/m1";
  }
  CHECK(waiting.concernedBy(own, &node) == std::vector{machine});
  CHECK(waiting.concernedBy(other, &node).empty());
}
