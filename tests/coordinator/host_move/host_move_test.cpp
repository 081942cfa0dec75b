// Hosts that no machine has, in namespaces with Clusters, and what `clusterctl move` may do with them (spec/capm3.md
// §12).
#include "tests/coordinator/host_move/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

using Catch::Matchers::Contains;

TEST_CASE("§12 a host blocks its move, in a namespace with Clusters and in one without", "[move]") {
  MoveSite site;
  site.addHost("a", "available");
  CHECK(site.value("a", kBlock) == "ingot.dev/move");
  CHECK_FALSE(site.isPaused("a"));
  site.addCluster("edge");
  CHECK(site.value("a", kBlock) == "ingot.dev/move");
  CHECK_FALSE(site.isPaused("a"));
  site.addHost("b", "inspecting");
  CHECK(site.blocks("b"));
  const auto writes = site.writes.size();
  CHECK(writes == 2);
  CHECK(site.reads.empty());  // a write a host is all that it costs
  site.settle(1h);
  CHECK(site.writes.size() == writes);
}

TEST_CASE("§12 where Cluster API is not installed nothing is moved, and hosts are left alone", "[move]") {
  MoveSite site(MoveSite::Starts::now, {}, MoveSite::ClusterApi::missing);
  site.addHost("a", "available");
  CHECK(site.writes.empty());
  site.annotate("a", kBlock, "ingot.dev/move");  // of the time when it was
  CHECK_FALSE(site.blocks("a"));
}

TEST_CASE("§12 a host that is not registered yet has nothing to lose in a namespace without Clusters", "[move]") {
  MoveSite site;
  for (const std::string state : {"", "registering"}) {
    const auto name = "a" + state;
    site.addHost(name, state);
    CHECK_FALSE(site.blocks(name));
    CHECK(site.writes.empty());
    site.becomes(name, "inspecting");
    CHECK(site.blocks(name));
    site.writes.clear();
  }
}

TEST_CASE("§12 a host in a namespace without Clusters may go when somebody has paused it, with its status", "[move]") {
  MoveSite site;
  site.addHost("a", "provisioned");
  REQUIRE(site.blocks("a"));
  std::vector<bool> letGo;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH" && request.path().ends_with("/a"))
      letGo.push_back(request.body.contains(R"(block-move":null)"));
    co_return;
  };
  site.annotate("a", kPaused, "by hand");
  CHECK_FALSE(site.blocks("a"));
  CHECK_THAT(site.value("a", kStatus), Contains(R"("state":"provisioned")"));
  CHECK(site.value("a", kPaused) == "by hand");
  CHECK(letGo == std::vector<bool>{false, true});  // its status first
  SECTION("it blocks again when it works again") {
    site.patch<BareMetalHost>("a", R"({"metadata":{"annotations":{")" + kPaused + R"(":null}}})");
    site.settle();
    CHECK(site.blocks("a"));
  }
  SECTION("also when a Cluster comes, and works") {
    site.addCluster("edge");
    CHECK(site.blocks("a"));
  }
}

TEST_CASE("§12 without Clusters, too, a host that something is being done to is not moved", "[move]") {
  MoveSite site;
  site.addHost("a", "provisioning");
  site.annotate("a", kPaused, "by hand");
  CHECK(site.blocks("a"));
  CHECK(site.value("a", kStatus) == "-");
}

TEST_CASE("§12 a start that cannot read the Clusters takes the block off nobody", "[move]") {
  MoveSite site(MoveSite::Starts::later);
  site.addCluster("edge");
  site.addHost("a", "inspecting");
  site.annotate("a", kBlock, "ingot.dev/move");
  bool isBroken = true;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (isBroken && request.path().ends_with("/clusters")) return {{503, ""}};
    return std::nullopt;
  };
  site.start();
  site.settle(2min);
  CHECK(site.writes.empty());
  isBroken = false;
  site.settle(2min);
  CHECK(site.writes.empty());
  CHECK(site.blocks("a"));
}

TEST_CASE("§12 Clusters of another namespace are no reason", "[move]") {
  MoveSite site;
  site.addNamespace("other");
  BareMetalHost host;
  host.metadata = {.name = "far", .namespace_ = "other"};
  site.create(host);
  site.addHost("a", "available");
  site.addCluster("edge");
  site.pause("edge");
  CHECK(site.annotations({"other", "far"}).empty());
  CHECK(site.isPaused("a"));
}

TEST_CASE("§12 in these states nothing is being done to a host that would be done anew", "[move]") {
  const std::set<std::string> resting = {"",      "unmanaged",   "registering",           "available",
                                         "ready", "provisioned", "externally provisioned"};
  for (const auto& [state, text] : api::provisioningStates) {
    BareMetalHost host;
    host.status.provisioning.state = text;
    INFO(text);
    CHECK(coordinator::machine::isAtRest(host) == resting.contains(std::string(text)));
  }
  BareMetalHost unknown;
  unknown.status.provisioning.state = "being painted";
  CHECK_FALSE(coordinator::machine::isAtRest(unknown));
}

TEST_CASE("§12 a host goes on with a status that nobody has taken over yet, unless that was refused", "[move]") {
  const std::string state = GENERATE("available", "future");
  const std::string carried = fmt::format(R"({{"provisioning": {{"state":"{}"}}}})", state);
  MoveSite site;
  BareMetalHost host;
  host.metadata = {.name = "a", .namespace_ = "metal"};
  host.metadata.annotations = {{kStatus, carried}};
  site.create(host);
  site.addCluster("edge");
  site.pause("edge");
  CHECK(site.value("a", kStatus) == carried);
  CHECK(site.blocks("a") == (state == "future"));
}

TEST_CASE("§12 the move waits for a host in deletion", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "available");
  site.patch<BareMetalHost>("a", R"({"metadata":{"finalizers":["test.dev/held"]}})");
  site.remove<BareMetalHost>("a");
  site.pause("edge");
  CHECK(site.blocks("a"));
  CHECK_FALSE(site.isPaused("a"));
}

TEST_CASE("§12 a host that its machine lets go blocks the move again", "[move]") {
  MoveSite site;
  site.addHost("a", "available", ofMachine);
  site.addCluster("edge");
  CHECK_FALSE(site.blocks("a"));
  site.patch<BareMetalHost>("a", R"({"spec":{"consumerRef":null}})");
  site.settle();
  CHECK(site.blocks("a"));
}

TEST_CASE("§12 a host at rest is paused with its status, and only then may be moved", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "available");
  std::vector<bool> blockedWhenPaused;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH") blockedWhenPaused.push_back(request.body.find("block-move") != std::string::npos);
    co_return;
  };
  site.pause("edge");
  CHECK(site.value("a", kPaused) == "ingot.dev/move");
  CHECK_THAT(site.value("a", kStatus), Contains(R"("state":"available")") && Contains(R"("poweredOn":true)"));
  CHECK_THAT(site.value("a", kStatus), !Contains("far-too-long"));  // the inventory is in the HardwareData
  CHECK_FALSE(site.blocks("a"));
  CHECK(blockedWhenPaused == std::vector<bool>{false, true});  // the pause first, with the block in place
}

TEST_CASE("§12 the move waits for a host that something is being done to", "[move]") {
  const std::string state = GENERATE("inspecting", "preparing", "provisioning", "deprovisioning", "deleting");
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", state);
  site.pause("edge");
  CHECK(site.blocks("a"));
  CHECK_FALSE(site.isPaused("a"));
  site.becomes("a", "available");
  CHECK_FALSE(site.blocks("a"));
  CHECK(site.isPaused("a"));
}

TEST_CASE("§12 hosts rest only when all Clusters of their namespace do", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addCluster("core");
  site.addHost("a", "available");
  site.pause("edge");
  CHECK(site.blocks("a"));
  CHECK_FALSE(site.isPaused("a"));
  site.pause("core");
  CHECK(site.isPaused("a"));
}

TEST_CASE("§12 a host works again when a Cluster does, and blocks again", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "available");
  site.pause("edge");
  site.pause("edge", false);
  CHECK_FALSE(site.isPaused("a"));
  CHECK(site.blocks("a"));
}

TEST_CASE("§12 a host works again also when its Cluster is deleted before that could be written", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "available");
  site.pause("edge");
  site.forbidden = "/baremetalhosts/a";
  SECTION("the Cluster has worked") {
    site.pause("edge", false);
    site.remove<Cluster>("edge");
    site.settle();
    CHECK(site.isPaused("a"));
    site.forbidden.clear();
    site.settle(2min);
    CHECK_FALSE(site.isPaused("a"));
    CHECK(site.blocks("a"));
  }
  SECTION("it was deleted as a move does: paused, whatever has been before") {
    site.pause("edge", false);
    site.pause("edge");
    site.remove<Cluster>("edge");
    site.forbidden.clear();
    site.settle(2min);
    CHECK(site.isPaused("a"));
    CHECK_FALSE(site.blocks("a"));
  }
}

TEST_CASE("§12 where it has arrived a host rests until its Cluster works", "[move]") {
  MoveSite site;
  BareMetalHost host;
  host.metadata = {.name = "a", .namespace_ = "metal"};
  host.metadata.annotations = {{kPaused, "ingot.dev/move"}, {kStatus, R"({"provisioning":{"state":"available"}})"}};
  site.create(host);
  site.settle();
  CHECK(site.isPaused("a"));
  site.addCluster("edge", true);
  CHECK(site.isPaused("a"));
  CHECK_FALSE(site.blocks("a"));
  CHECK(site.writes.empty());
  site.pause("edge", false);
  CHECK_FALSE(site.isPaused("a"));
  CHECK_THAT(site.value("a", kStatus), Contains("available"));  // for who takes it in
}

TEST_CASE("§12 a host that somebody else has paused stays so, and carries its status along", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "provisioned");
  site.annotate("a", kPaused, "by hand");
  CHECK(site.blocks("a"));
  site.pause("edge");
  CHECK(site.value("a", kPaused) == "by hand");
  CHECK_THAT(site.value("a", kStatus), Contains("provisioned"));
  CHECK_FALSE(site.blocks("a"));
  site.pause("edge", false);
  CHECK(site.value("a", kPaused) == "by hand");
}

TEST_CASE("§12 a host that somebody has paused while something was being done to it is not moved", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "provisioning");
  site.annotate("a", kPaused, "by hand");
  site.pause("edge");
  CHECK(site.blocks("a"));
}

TEST_CASE("§12 a block that somebody else has set stays", "[move]") {
  MoveSite site;
  site.addHost("a", "available");
  site.annotate("a", kBlock, "by hand");
  site.addCluster("edge");
  site.pause("edge");
  CHECK(site.isPaused("a"));
  CHECK(site.value("a", kBlock) == "by hand");
}

TEST_CASE("§12 our pause ends when a Cluster works, whatever has become of the host", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "available");
  site.pause("edge");
  REQUIRE(site.isPaused("a"));
  if (GENERATE(true, false)) {
    site.patch<BareMetalHost>("a", R"({"metadata":{"finalizers":["test.dev/held"]}})");
    site.remove<BareMetalHost>("a");
  } else {
    site.patch<BareMetalHost>("a", kOfMachine);
  }
  site.pause("edge", false);
  CHECK_FALSE(site.isPaused("a"));
}

TEST_CASE("§12 a host that nobody has looked at yet has no status to carry", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "");
  site.pause("edge");
  CHECK(site.isPaused("a"));
  CHECK(site.value("a", kStatus) == "-");
  CHECK_FALSE(site.blocks("a"));
}

TEST_CASE("§12 a host of a machine is its machine's, one that is being moved is nobody's", "[move]") {
  MoveSite site;
  site.addHost("a", "provisioned", ofMachine);
  site.addHost("b", "available", [](BareMetalHost& host) {
    host.metadata.annotations[std::string(api::annotation::deleteForMove)] = "";
  });
  site.addCluster("edge");
  site.pause("edge");
  CHECK(site.writes.empty());
}

TEST_CASE("§12 where the last Cluster is gone hosts block their move still", "[move]") {
  MoveSite site;
  site.addCluster("edge");
  site.addHost("a", "available");
  site.addHost("b", "available");
  site.annotate("b", kBlock, "by hand");
  site.remove<Cluster>("edge");
  site.settle();
  CHECK(site.blocks("a"));
  CHECK_FALSE(site.isPaused("a"));
  CHECK(site.value("b", kBlock) == "by hand");
}

TEST_CASE("§12 whatever write is lost, no host may be moved without its pause and its status", "[move]") {
  const auto lost = GENERATE(range<std::size_t>(0, 3));
  const auto death = GENERATE(ApiSite::Death::before, ApiSite::Death::after);
  MoveSite site;
  site.survives = true;
  site.death = death;
  site.dieAtWrite = lost;
  site.addCluster("edge");
  site.addHost("a", "available");
  site.pause("edge");
  const bool mayBeMoved = !site.blocks("a");
  CHECK((!mayBeMoved || (site.isPaused("a") && site.value("a", kStatus) != "-")));
  site.settle(2min);
  CHECK_FALSE(site.blocks("a"));
  CHECK(site.isPaused("a"));
}

}  // namespace ingot::tests
