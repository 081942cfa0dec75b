// spec/capm3.md §13.2: what the Nodes of a workload cluster may do to the machines that wait for theirs.
#include "coordinator/machine/node_news.hpp"
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

// News for so many machines of a cluster, m0 and so on, whose hosts have the uids uid-0 and so on.
struct NewsDesk {
  explicit NewsDesk(int machines) {
    for (int i = 0; i < machines; ++i)
      waiting.forNode({"metal", fmt::format("m{}", i)}, cluster,
                      {.name = fmt::format("h{}", i), .namespace_ = "metal", .uid = fmt::format("uid-{}", i)});
    tasks.spawn("news", news.run());
  }
  ~NewsDesk() { loop.run(tasks.close()); }

  // And a millisecond passes.
  void tell(const kube::Node& node) {
    news.note(cluster, &node);
    loop.clock.advance(1ms);
  }

  Loop loop;
  base::Metrics page;
  const kube::ObjectKey cluster{"metal", "c1"};
  coordinator::machine::Waiting waiting;
  int told = 0;  // machines
  kube::ObjectKey lastTold;
  coordinator::machine::NodeNews news{loop.runtime, page, waiting,
                                      [this](const kube::ObjectKey& machine, base::Duration) {
                                        ++told;
                                        lastTold = machine;
                                      }};
  base::TaskGroup tasks{loop.runtime.executor, loop.runtime.log};
};

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
  CHECK(waiting.namedBy(own, node).value().machine == machine);
  CHECK_FALSE(waiting.namedBy(other, node).value().machine);
}

TEST_CASE("§13.2 Nodes that name no host are told to all that wait a few times, however often they change",
          "[machine][news]") {
  NewsDesk desk(100);
  for (int i = 0; i < 1000; ++i) desk.tell(nodeCalled("anybody's"));
  CHECK(desk.told >= 2 * 100);
  CHECK(desk.told <= 3 * 100);
  desk.told = 0;
  desk.loop.clock.advance(2s);
  CHECK(desk.told <= 100);
  desk.told = 0;
  SECTION("those that name one are told to its machine alone") {
    for (int i = 0; i < 1000; ++i) desk.tell(nodeCalled("own", "uid-7"));
    CHECK(desk.told == 1000);
    CHECK(desk.lastTold.name == "m7");
  }
  SECTION("after a rest all are told at once, and of a whole cluster, too") {
    desk.tell(nodeCalled("anybody's"));
    CHECK(desk.told == 100);
    desk.news.note(desk.cluster, nullptr);
    desk.loop.clock.advance(1ms);
    CHECK(desk.told == 200);
  }
  SECTION("those of another cluster are told to nobody") {
    const kube::Node node = nodeCalled("elsewhere");
    desk.news.note({"metal", "c2"}, &node);
    desk.loop.clock.advance(2s);
    CHECK(desk.told == 0);
  }
}
