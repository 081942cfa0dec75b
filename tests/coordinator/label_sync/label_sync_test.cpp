// Labels of hosts on the Nodes that run on them, before a whole API and that of a workload cluster (spec/capm3.md §19).
#include "tests/coordinator/label_sync/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

constexpr const char* kNodePath = "PATCH /api/v1/nodes/node-1";

}  // namespace

TEST_CASE("§19 a Node gets the labels of its host as soon as it is known, and follows them", "[label_sync]") {
  LabelSite site;
  site.settle();
  CHECK(site.synced().empty());
  CHECK(site.workload.writes.empty());
  site.runsOn("node-1");
  CHECK(site.synced() == Labels{{"rack.example.com/row", "7"}});
  site.label(R"({"rack.example.com/row":"8","rack.example.com/slot":"3"})");
  CHECK(site.synced() == Labels{{"rack.example.com/row", "8"}, {"rack.example.com/slot", "3"}});
  site.label(R"({"rack.example.com/row":null})");
  CHECK(site.synced() == Labels{{"rack.example.com/slot", "3"}});
  CHECK(site.workload.writes == std::vector<std::string>(3, kNodePath));
  CHECK(site.writes.empty());  // nothing is written to the management cluster

  SECTION("what is settled costs nothing") {
    const int before = site.passes();
    site.settle(1h);
    CHECK(site.passes() == before);
    CHECK(site.workload.writes.size() == 3);
  }
  SECTION("a restart writes nothing anew") {
    site.kill();
    site.start();
    site.settle();
    CHECK(site.workload.writes.size() == 3);
    site.kill();
    site.label(R"({"rack.example.com/slot":"4"})");
    CHECK(site.workload.writes.size() == 3);
    site.start();
    site.settle();
    CHECK(site.synced() == Labels{{"rack.example.com/slot", "4"}});
    CHECK(site.workload.writes.size() == 4);
  }
}

TEST_CASE("§19 what others put under the prefixes of a Node goes, without a fight", "[label_sync]") {
  LabelSite site;
  site.runsOn("node-1");
  const std::size_t before = site.workload.writes.size();
  const auto meddle = [&] {
    site.workload.patch<kube::Node>(
        {"", "node-1"}, R"({"metadata":{"labels":{"rack.example.com/row":"no","rack.example.com/x":"1"}}})");
    site.settle(1s);
  };
  site.settle(2min);
  meddle();
  CHECK(site.synced() == Labels{{"rack.example.com/row", "7"}});
  for (int i = 0; i < 50; ++i) meddle();  // in 50 s
  CHECK(site.workload.writes.size() <= before + 2);
  site.settle(2min);
  CHECK(site.synced() == Labels{{"rack.example.com/row", "7"}});
  site.label(R"({"rack.example.com/row":"9"})");  // a change of the host is not held up
  CHECK(site.synced() == Labels{{"rack.example.com/row", "9"}});
}

TEST_CASE("§19, §21 Q6 labels are left alone without prefixes, in a pause, and for others", "[label_sync]") {
  const std::string pause = R"({"cluster.x-k8s.io/paused":""})", goOn = R"({"cluster.x-k8s.io/paused":null})";
  SECTION("no annotation") {
    LabelSite site("");
    site.runsOn("node-1");
    CHECK(site.synced().empty());
    CHECK(site.reads.empty());  // not even the kubeconfig is read
    site.annotate<Metal3Cluster>("c1", R"({"metal3.io/metal3-label-sync-prefixes":"rack.example.com"})");
    CHECK(site.synced().size() == 1);
  }
  SECTION("an empty list") {
    LabelSite site(" , ");
    site.runsOn("node-1");
    CHECK(site.workload.writes.empty());
  }
  SECTION("a paused host") {
    LabelSite site;
    site.annotate<BareMetalHost>("h1", R"({"baremetalhost.metal3.io/paused":""})");
    site.runsOn("node-1");
    CHECK(site.synced().empty());
    site.annotate<BareMetalHost>("h1", R"({"baremetalhost.metal3.io/paused":null})");
    CHECK(site.synced().size() == 1);
  }
  SECTION("a paused Metal3Cluster") {
    LabelSite site;
    site.annotate<Metal3Cluster>("c1", pause);
    site.runsOn("node-1");
    CHECK(site.synced().empty());
    site.annotate<Metal3Cluster>("c1", goOn);
    CHECK(site.synced().size() == 1);
  }
  SECTION("a paused Cluster") {
    LabelSite site;
    site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
    site.runsOn("node-1");
    CHECK(site.synced().empty());
    site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
    site.settle();
    CHECK(site.synced().size() == 1);
  }
  SECTION("a Cluster with the annotation") {
    LabelSite site;
    site.annotate<Cluster>("c1", pause);
    site.runsOn("node-1");
    CHECK(site.synced().empty());
    site.annotate<Cluster>("c1", goOn);
    CHECK(site.synced().size() == 1);
  }
  SECTION("the watch filter") {
    LabelSite site("rack.example.com", "blue");
    site.runsOn("node-1");
    CHECK(site.synced().empty());
    site.patch<Metal3Cluster>("c1", R"({"metadata":{"labels":{"cluster.x-k8s.io/watch-filter":"blue"}}})");
    site.settle();
    CHECK(site.synced().size() == 1);
  }
  SECTION("a host of another kind of consumer") {
    LabelSite site;
    site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"apiVersion":"v1","kind":"Pod"}}})");
    site.runsOn("node-1");
    CHECK(site.synced().empty());
  }
}

TEST_CASE("prefixes that are none are told once, with the word that is wrong", "[label_sync]") {
  LabelSite site("rack.example.com,Wrong");
  site.runsOn("node-1");
  site.label(R"({"rack.example.com/row":"8"})");
  CHECK(site.told("InvalidLabelSyncPrefixes") == 1);
  CHECK(site.synced().empty());
  site.annotate<Metal3Cluster>("c1", R"({"metal3.io/metal3-label-sync-prefixes":"rack.example.com"})");
  CHECK(site.synced() == Labels{{"rack.example.com/row", "8"}});
}

TEST_CASE("prefixes that were mended, or went, are told again when they are wrong again", "[label_sync]") {
  const std::string wrong = R"({"metal3.io/metal3-label-sync-prefixes":"Wrong"})";
  LabelSite site("Wrong");
  site.runsOn("node-1");
  REQUIRE(site.told("InvalidLabelSyncPrefixes") == 1);
  SECTION("mended") {
    site.annotate<Metal3Cluster>("c1", R"({"metal3.io/metal3-label-sync-prefixes":"rack.example.com"})");
    site.annotate<Metal3Cluster>("c1", wrong);
  }
  SECTION("taken away") {
    site.annotate<Metal3Cluster>("c1", R"({"metal3.io/metal3-label-sync-prefixes":null})");
    site.annotate<Metal3Cluster>("c1", wrong);
  }
  SECTION("with their Metal3Cluster") {
    auto metal = site.find<Metal3Cluster>("c1").value();
    site.remove<Metal3Cluster>("c1");
    site.settle();
    metal.metadata.uid = metal.metadata.resourceVersion = "";
    site.create(metal);
    site.settle();
  }
  CHECK(site.told("InvalidLabelSyncPrefixes") == 2);
}

TEST_CASE("a machine whose annotation names no host keeps nobody from being seen", "[label_sync]") {
  LabelSite site;
  site.runsOn("node-1");
  auto machine = site.find<Metal3Machine>("m1").value();
  site.remove<Metal3Machine>("m1");
  site.label(R"({"rack.example.com/row":"8"})");
  REQUIRE(site.synced() == Labels{{"rack.example.com/row", "7"}});
  Metal3Machine odd = machine;
  odd.metadata = {.name = "odd", .namespace_ = "metal"};
  odd.metadata.annotations[std::string(api::capm3::annotation::host)] = "a/b/c";
  site.create(odd);
  for (int i = 0; i < 5; ++i) site.annotate<Metal3Machine>("odd", fmt::format(R"({{"n":"{}"}})", i));
  machine.metadata.resourceVersion.clear();
  site.create(machine);
  site.settle(50ms);  // a watch that a listener breaks is opened again later
  CHECK(site.synced() == Labels{{"rack.example.com/row", "8"}});
}

TEST_CASE("a Node that never rests, and takes no label, is tried once a second", "[label_sync]") {
  LabelSite site;
  site.workload.answer = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "PATCH") return std::nullopt;
    return net::HttpResponse{.status = 500};
  };
  site.runsOn("node-1");
  site.settle(10s);
  const int passes = site.passes();
  for (int i = 0; i < 1000; ++i) {
    site.workload.patch<kube::Node>({"", "node-1"}, fmt::format(R"({{"metadata":{{"labels":{{"i":"{}"}}}}}})", i));
    site.settle(1ms);
  }
  CHECK(site.passes() > passes);
  CHECK(site.passes() <= passes + 4);
}

TEST_CASE("a workload cluster that was away is caught up with", "[label_sync]") {
  LabelSite site;
  site.workload.reachable = false;
  site.runsOn("node-1");
  site.settle(1min);
  CHECK(site.synced().empty());
  site.workload.reachable = true;
  site.settle(2min);
  CHECK(site.synced() == Labels{{"rack.example.com/row", "7"}});
}

TEST_CASE("a workload cluster that keeps its answers to itself holds up no other one's labels", "[label_sync]") {
  LabelSite site;
  site.addCluster("c2");
  for (int i = 2; i < 12; ++i) site.addMachine("c1", std::to_string(i));  // more than the controller has workers
  site.addMachine("c2", "99");
  site.settle();
  site.workload.heldWrite = "/nodes/";
  site.workload.heldFor = 1h;
  for (int i = 2; i < 12; ++i) site.joins(std::to_string(i));
  site.settle(100ms);
  site.workload.heldWrite.clear();  // of those that come now
  site.joins("99");
  site.settle(1s);
  CHECK(site.workload.find<kube::Node>({"", "node-99"})->metadata.labels == Labels{{"rack.example.com/row", "7"}});
  site.settle(3min);
  for (int i = 2; i < 12; ++i)
    CHECK(site.workload.find<kube::Node>({"", fmt::format("node-{}", i)})->metadata.labels.size() == 1);
}

TEST_CASE("workload clusters that keep their answers to themselves hold up no quick one's labels", "[label_sync]") {
  LabelSite site;
  constexpr int kSlow = 12;  // machines of four clusters
  for (int c = 2; c <= 6; ++c) site.addCluster(fmt::format("c{}", c));
  for (int i = 0; i < kSlow; ++i) site.addMachine(fmt::format("c{}", 2 + i % 4), std::to_string(20 + i));
  site.addMachine("c6", "99");
  site.settle();
  site.workload.heldWrite = "/nodes/node-2";
  site.workload.heldFor = 1h;
  for (int i = 0; i < kSlow; ++i) site.joins(std::to_string(20 + i));
  site.settle(100ms);
  site.joins("99");
  const auto row = [&] {
    return site.workload.find<kube::Node>({"", "node-99"})->metadata.labels["rack.example.com/row"];
  };
  site.settle(11s);
  CHECK(row() == "7");
  for (int i = 1; i <= 20; ++i) {
    site.patch<BareMetalHost>("h99", fmt::format(R"({{"metadata":{{"labels":{{"rack.example.com/row":"{}"}}}}}})", i));
    site.settle(1s);
    CHECK(row() == std::to_string(i));
  }
}

TEST_CASE("a Node that comes after the Machine named it is labelled then", "[label_sync]") {
  LabelSite site;
  site.runsOn("node-2");
  CHECK(site.workload.writes.empty());
  kube::Node node;
  node.metadata.name = "node-2";
  site.workload.create(node);
  site.settle();
  CHECK(site.workload.find<kube::Node>({"", "node-2"})->metadata.labels == Labels{{"rack.example.com/row", "7"}});
}

}  // namespace ingot::tests
