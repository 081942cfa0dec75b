// What is said of hosts that hold up `clusterctl move` (spec/capm3.md §12).
#include "tests/coordinator/host_move/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

std::string toldOf(MoveSite& site, const std::string& host) {
  std::string texts;
  for (const auto& event : site.all<kube::Event>())
    if (event.reason == "MoveWaits" && event.involvedObject.name == host) texts += event.message;
  return texts;
}

const std::string kWaits = "clusterctl move waits for this host: ";

}  // namespace

TEST_CASE("§12 a host that a move waits for says why, once", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "inspecting");
  site.addHost("b", "available");
  site.settle(10min);
  CHECK(site.told("MoveWaits") == 0);  // nobody moves it
  site.pause("edge");
  site.settle(20s);
  CHECK(site.told("MoveWaits") == 0);  // it may be at rest in a moment
  site.settle(20s);
  CHECK(toldOf(site, "a") == kWaits + "it is inspecting, and goes once it is at rest");
  CHECK(toldOf(site, "b").empty());
  site.becomes("a", "preparing");
  site.settle(20min);
  CHECK(site.told("MoveWaits") == 1);
  SECTION("it goes at last, and says nothing more") {
    site.becomes("a", "available");
    CHECK_FALSE(site.blocks("a"));
    site.settle(10min);
    CHECK(site.told("MoveWaits") == 1);
  }
  SECTION("the next move is told anew") {
    site.pause("edge", false);
    site.pause("edge");
    site.settle(1min);
    CHECK(site.told("MoveWaits") == 2);
  }
}

TEST_CASE("§12 a host that rests within seconds of a pause says nothing", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "inspecting");
  site.pause("edge");
  site.settle(20s);
  site.becomes("a", "available");
  site.settle(10min);
  CHECK(site.told("MoveWaits") == 0);
}

TEST_CASE("§12 a host that rests for ever in the middle of something says how it goes on", "[move]") {
  const std::string why = "it is provisioning, and paused it does not come to rest: end its pause, and move it later";
  MoveSite site;
  SECTION("a person has paused it, where there is no Cluster") {
    site.addHost("a", "provisioning");
    site.settle(10min);
    CHECK(site.told("MoveWaits") == 0);
    site.annotate("a", kPaused, "by hand");
  }
  SECTION("it is a machine's, which has paused it with its Cluster") {
    site.addCluster("edge");
    site.addHost("a", "provisioning", ofMachine);
    site.annotate("a", kBlock, "");
    site.annotate("a", kPaused, "metal3.io/capm3");
    site.pause("edge");
  }
  site.settle(1min);
  CHECK(toldOf(site, "a") == kWaits + why);
}

TEST_CASE("§12 what else keeps a host in its place is said", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "available");
  std::string why;
  SECTION("it is being deleted") {
    why = "it is being deleted";
    site.patch<BareMetalHost>("a", R"({"metadata":{"finalizers":["test.dev/held"]}})");
    site.remove<BareMetalHost>("a");
  }
  SECTION("it is to be restarted") {
    why = "it is still to be restarted (annotation reboot.metal3.io)";
    site.annotate("a", "reboot.metal3.io", "");
  }
  SECTION("somebody else blocks it") {
    why = "its annotation clusterctl.cluster.x-k8s.io/block-move is somebody else's";
    site.annotate("a", kBlock, "by hand");
  }
  SECTION("its pause is refused") {
    why = "it is not paused yet: patching BareMetalHost metal/a: HTTP 403 a webhook says no";
    site.forbidden = "/baremetalhosts/a";
  }
  SECTION("its state is none that is known") {
    why = "its state is not known";
    site.becomes("a", "being painted");
  }
  site.pause("edge");
  site.settle(2min);
  CHECK_THAT(toldOf(site, "a"), Catch::StartsWith(kWaits + why));
}

TEST_CASE("§12 hosts that a machine does not pause, or that no agent here obeys, say so", "[move]") {
  using coordinator::host_move::Clusters;
  BareMetalHost host;
  host.metadata = {.name = "a", .namespace_ = "metal", .annotations = {{kBlock, ""}}};
  host.status.provisioning.state = "provisioned";
  host.status.lastUpdated = base::WallTime{};
  ofMachine(host);
  const auto why = [&](const api::Carrying& carrying = {}) {
    return coordinator::host_move::whyItWaits(host, Clusters::paused, carrying);
  };
  CHECK(why() == "it is not paused yet");
  host.metadata.annotations[kPaused] = "metal3.io/capm3";
  CHECK(why() == "its status is not in annotation baremetalhost.metal3.io/status yet");
  host.metadata.annotations[kStatus] = "{}";
  CHECK(why(api::Carrying([] { return true; })) == "it does not carry the term that its agents obey");
  CHECK(why().empty());
  CHECK(coordinator::host_move::whyItWaits(host, Clusters::none, {}).empty());
  CHECK(coordinator::host_move::whyItWaits(host, Clusters::working, {}).empty());
}

}  // namespace ingot::tests
