// One connection a workload cluster: when it is opened, what is told of its Nodes, and when it ends.
#include "tests/coordinator/workload/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

using Strings = std::vector<std::string>;

TEST_CASE("a cluster is connected when somebody first asks, and once for all who ask") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  site.settle();
  CHECK(server.requests.empty());

  CHECK(site.see("c1") == "Connecting");
  CHECK(site.see("c1") == "Connecting");
  site.settle();
  CHECK(site.see("c1") == "n1");
  CHECK(server.requests == Strings{"GET /version", "GET /api/v1/nodes", "WATCH /api/v1/nodes"});

  for (int i = 0; i < 100; ++i) CHECK(site.see("c1") == "n1");
  site.settle(5s);
  CHECK(server.requests.size() == 3);
}

TEST_CASE("who asked before the connections run is connected then") {
  WorkloadSite site;
  site.add("c1");
  site.kill();
  site.start();
  CHECK(site.see("c1") == "Connecting");
  site.settle();
  CHECK(site.see("c1").empty());
}

TEST_CASE("a cluster that became reachable is told of once, not Node by Node") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  site.create(server, nodeNamed("n2"));
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.told == Strings{"c1"});
}

TEST_CASE("a Node that appears, changes or goes is told of") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  site.takeTold();

  site.create(server, nodeNamed("n1"));
  site.settle();
  CHECK(site.takeTold() == Strings{"c1: n1"});
  CHECK(site.see("c1") == "n1");

  site.patch(server, "n1", R"({"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}})");
  site.settle();
  CHECK(site.takeTold() == Strings{"c1: n1"});
  CHECK(site.nodes("c1").find("n1")->spec.taints.at(0).key == "k");

  site.remove(server, "n1");
  site.settle();
  CHECK(site.takeTold() == Strings{"c1: n1"});
  CHECK(site.see("c1").empty());
}

TEST_CASE("a heartbeat is not told of") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  const auto beat = [&](const std::string& at, const std::string& ready) {
    site.patchStatus(server, "n1",
                     R"({"status":{"conditions":[{"type":"Ready","status":")" + ready + R"(","lastHeartbeatTime":")" +
                         at + R"("}],"images":[{"names":[")" + at + R"("]}]}})");
    site.settle();
  };
  beat("2026-01-01T00:00:00Z", "True");
  site.takeTold();
  beat("2026-01-01T00:00:10Z", "True");
  CHECK(site.takeTold().empty());
  CHECK(site.nodes("c1").find("n1")->isReady());
  beat("2026-01-01T00:00:20Z", "Unknown");
  CHECK(site.takeTold() == Strings{"c1: n1"});
  CHECK_FALSE(site.nodes("c1").find("n1")->isReady());
}

TEST_CASE("a Node that gets its providerID is found by it, and told of as it was and is") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, labelled(nodeNamed("n1"), "metal3.io/uuid", "u1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  site.takeTold();
  REQUIRE(site.nodes("c1").byUuidLabel("u1").size() == 1);

  const auto stored = site.run(
      site.cache->patchNode(site.key("c1"), "n1", json::parse(R"({"spec":{"providerID":"metal3://metal/h1/m1"}})")));
  CHECK(stored.spec.providerId == "metal3://metal/h1/m1");
  site.settle();
  CHECK(site.nodes("c1").byProviderId("metal3://metal/h1/m1").size() == 1);
  CHECK(site.takeTold() == Strings{"c1: n1", "c1: n1"});
}

TEST_CASE("two Nodes with one providerID are both found") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1", "metal3://metal/h1/m1"));
  site.create(server, nodeNamed("n2", "metal3://metal/h1/m1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.nodes("c1").byProviderId("metal3://metal/h1/m1").size() == 2);
  CHECK(site.nodes("c1").byProviderIdPrefix("metal3://metal/h1/").size() == 2);
}

TEST_CASE("a Node that went while no watch was open is told to be gone") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  site.create(server, nodeNamed("n2"));
  server.answer = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.query().contains("watch=true")) return std::nullopt;
    return net::HttpResponse{.status = 410, .body = "{}"};
  };
  static_cast<void>(site.see("c1"));
  site.settle();
  REQUIRE(site.see("c1") == "n1 n2");
  static_cast<void>(site.takeTold());
  site.remove(server, "n1");
  server.answer = nullptr;
  site.settle(10s);
  CHECK(site.see("c1") == "n2");
  CHECK(site.takeTold() == std::vector<std::string>{"c1: n1"});  // over the same connection
}

TEST_CASE("a Node that cannot be decoded is not taken for absent") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1", "metal3://metal/h1/m1"));
  site.create(server, nodeNamed("n2"));
  site.patch(server, "n2", R"({"spec":{"providerID":7}})");
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.see("c1") == "n1");
  CHECK(site.nodes("c1").undecoded().contains("n2"));

  site.patch(server, "n1", R"({"spec":{"taints":"none"}})");
  site.settle();
  CHECK(site.nodes("c1").byProviderId("metal3://metal/h1/m1").size() == 1);
  CHECK(site.nodes("c1").undecoded().contains("n1"));

  site.patch(server, "n1", R"({"spec":{"taints":null}})");
  site.remove(server, "n2");
  site.settle();
  CHECK(site.nodes("c1").undecoded().empty());
}

TEST_CASE("a Node is deleted only when it is the one that was meant") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  const std::string uid = site.nodes("c1").find("n1")->metadata.uid;
  CHECK_FALSE(site.run(site.cache->deleteNode(site.key("c1"), "n1", "another")));
  CHECK(site.run(site.cache->deleteNode(site.key("c1"), "n1", uid)));
  CHECK_FALSE(site.run(site.cache->deleteNode(site.key("c1"), "n1", uid)));
}

TEST_CASE("a call to a cluster that is not connected ends at once") {
  WorkloadSite site;
  const auto before = site.loop.clock.now();
  try {
    static_cast<void>(site.run(site.cache->patchNode(site.key("c1"), "n1", json::Object{})));
    FAIL("it was carried out");
  } catch (const kube::Error& e) {
    CHECK(e.code() == kube::Error::Code::unreachable);
  }
  CHECK(site.loop.clock.now() == before);
}

TEST_CASE("only who looks at the Nodes of a cluster opens a connection") {
  WorkloadSite site;
  auto& server = site.add("c1");
  CHECK_THROWS_AS(site.run(site.cache->patchNode(site.key("c1"), "n1", json::Object{})), kube::Error);
  CHECK_THROWS_AS(site.run(site.cache->deleteNode(site.key("c1"), "n1", "uid")), kube::Error);
  CHECK_THROWS_AS(site.run(site.cache->isDrained(site.key("c1"), "n1")), kube::Error);
  CHECK_FALSE(site.cache->serverVersion(site.key("c1")));
  site.settle();
  CHECK(server.requests.empty());
}

TEST_CASE("the version of a cluster is known while it is connected") {
  WorkloadSite site;
  site.add("c1");
  CHECK_FALSE(site.cache->serverVersion(site.key("c1")));
  static_cast<void>(site.see("c1"));
  site.settle();
  REQUIRE(site.cache->serverVersion(site.key("c1")));
  CHECK(*site.cache->serverVersion(site.key("c1")) >= coordinator::workload::ServerVersion{1, 28});
}

TEST_CASE("a forgotten cluster is let go, and connected anew when it is back") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(server.watches == 1);

  site.takeTold();
  site.cache->forget(site.key("c1"));
  site.settle(5min);
  CHECK(server.watches == 0);
  CHECK(site.takeTold().empty());
  const auto asked = server.requests.size();
  site.settle(5min);
  CHECK(server.requests.size() == asked);

  CHECK(site.see("c1") == "Connecting");
  site.settle();
  CHECK(site.see("c1") == "n1");
}

TEST_CASE("a cluster may be forgotten between any two steps of its connecting") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  std::string seen;
  for (int steps = 0; seen != "n1"; ++steps) {
    INFO(steps);
    REQUIRE(steps < 2000);
    static_cast<void>(site.see("c1"));
    for (int i = 0; i < steps; ++i) {
      site.loop.io.restart();
      site.loop.io.poll_one();
    }
    seen = site.see("c1");
    site.cache->forget(site.key("c1"));
    site.settle();
    REQUIRE(server.watches == 0);
  }
  CHECK(site.told == Strings{"c1"});
}

TEST_CASE("a call may outlast its connection") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  std::optional<kube::Error::Code> code;
  const auto patch = [](ClusterCache& cache, std::optional<kube::Error::Code>& out) -> base::Task<void> {
    try {
      static_cast<void>(co_await cache.patchNode(WorkloadSite::key("c1"), "n1", json::Object{}));
    } catch (const kube::Error& e) {
      out = e.code();
    }
  };
  base::TaskGroup calls(site.runtime.executor, site.runtime.log);
  server.hangs = true;
  calls.spawn("patch", patch(*site.cache, code));
  site.settle(1s);
  site.cache->forget(site.key("c1"));
  site.settle(11s);
  CHECK(code == kube::Error::Code::interrupted);
  site.run(calls.close());
}

TEST_CASE("a Node is drained when none of its Pods is leaving and no volume is attached to it") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  std::string pods = R"([{"metadata":{"name":"a"}}])", volumes = R"([{"spec":{"nodeName":"n2"}}])";
  server.answer = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/api/v1/pods" &&
        request.query().find("fieldSelector=spec.nodeName%3Dn1") != std::string_view::npos)
      return net::HttpResponse{.status = 200, .body = R"({"items":)" + pods + "}"};
    if (request.path() == "/apis/storage.k8s.io/v1/volumeattachments")
      return net::HttpResponse{.status = 200, .body = R"({"items":)" + volumes + "}"};
    return std::nullopt;
  };
  const auto isDrained = [&] { return site.run(site.cache->isDrained(site.key("c1"), "n1")); };
  CHECK(isDrained());
  pods = R"([{"metadata":{"name":"a"}},{"metadata":{"name":"b","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
  CHECK_FALSE(isDrained());
  pods = "[]";
  volumes = R"([{"spec":{"nodeName":"n2"}},{"spec":{"nodeName":"n1"}}])";
  CHECK_FALSE(isDrained());
  volumes = "[]";
  server.answer = nullptr;  // this cluster does not serve VolumeAttachments
  CHECK_THROWS_AS(isDrained(), kube::Error);
}

TEST_CASE("a Pod that is leaving and a volume that is attached are found on any page") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  const std::string leaving = R"({"metadata":{"name":"b","deletionTimestamp":"2026-01-01T00:00:00Z"}})";
  const std::string attached = R"({"spec":{"nodeName":"n1"}})";
  std::string lastPod, lastVolume;
  std::vector<std::string> asked;
  server.answer = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    const bool pods = request.path() == "/api/v1/pods";
    if (!pods && request.path() != "/apis/storage.k8s.io/v1/volumeattachments") return std::nullopt;
    const bool second = request.query().contains("continue=more");
    asked.emplace_back((pods ? "pods " : "volumes ") + std::string(second ? "2" : "1"));
    const auto& last = pods ? lastPod : lastVolume;
    return net::HttpResponse{.status = 200,
                             .body = second
                                         ? R"({"items":[)" + last + "]}"
                                         : R"({"items":[{"metadata":{"name":"a"}}],"metadata":{"continue":"more"}})"};
  };
  const auto isDrained = [&] { return site.run(site.cache->isDrained(site.key("c1"), "n1")); };
  CHECK(isDrained());
  CHECK(asked == std::vector<std::string>{"pods 1", "pods 2", "volumes 1", "volumes 2"});
  SECTION("a Pod") { lastPod = leaving; }
  SECTION("a volume") { lastVolume = attached; }
  CHECK_FALSE(isDrained());
}

TEST_CASE("whether a Node is drained is asked for half a minute at most") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  server.answer = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/api/v1/pods") return std::nullopt;
    return net::HttpResponse{.status = 200, .body = R"({"items":[],"metadata":{"continue":"more"}})"};
  };
  server.thinks = 4s;
  const auto begun = site.loop.clock.now();
  try {
    static_cast<void>(site.run(site.cache->isDrained(site.key("c1"), "n1")));
    FAIL("it is known");
  } catch (const kube::Error& e) {
    CHECK(e.code() == kube::Error::Code::interrupted);
  }
  CHECK(site.loop.clock.now() - begun <= 31s);
}

TEST_CASE("a cluster may be forgotten by who is told of it") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  const auto subscription =
      site.cache->onChange([&](const kube::ObjectKey& cluster, const kube::Node*) { site.cache->forget(cluster); });
  site.create(server, nodeNamed("n1"));
  site.settle();
  CHECK(server.watches == 0);
}

TEST_CASE("the process may end in the middle of connecting") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.add("c2");
  server.hangs = true;
  static_cast<void>(site.see("c1"));
  static_cast<void>(site.see("c2"));
  site.settle();
  site.kill();
  CHECK(server.watches == 0);
}

}  // namespace ingot::tests
