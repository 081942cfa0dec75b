// What is shown when the server refuses a part of it, or sends what nobody can read.
#include "api/capi/machine.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "base/sync.hpp"
#include "tests/cli/world.hpp"

using namespace ingot;
using namespace ingot::cli::tests;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

const std::string edge = R"(apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: edge, namespace: metal3}
spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: edge-x7k2p}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3Cluster
metadata: {name: edge-x7k2p, namespace: metal3, labels: {cluster.x-k8s.io/cluster-name: edge}}
spec: {controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3Machine
metadata:
  name: m1
  namespace: metal3
  labels: {cluster.x-k8s.io/cluster-name: edge, cluster.x-k8s.io/deployment-name: workers}
  annotations: {metal3.io/BareMetalHost: metal3/n1}
spec: {image: {url: "http://images/a", checksum: "http://images/sums"}}
)";

struct EdgeWorld : World {
  EdgeWorld() : World(Kinds::all) {
    hosts({"n1"});
    const int applied = run({"apply", "-f", file("edge.yaml", edge)});
    INFO(terminal.errors);
    REQUIRE(applied == 0);
    loop.run(client().patchStatus<api::capm3::v1beta2::Metal3Machine>(
        {"metal3", "m1"},
        json::parse(R"({"status":{"conditions":[{"type":"AssociateBareMetalHost","status":"True","reason":"R",
          "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})")));
  }
};

}  // namespace

TEST_CASE("each that cannot be read has a line of its own, the others are shown", "[cli][errors]") {
  World w;
  w.hosts({"n1", "n2", "n3"});
  w.refuse("/baremetalhosts/n1", 500);
  CHECK(w.run({"describe", "host", "n1", "n2", "n3"}) == 1);
  CHECK_THAT(w.terminal.printed, Contains("Name:          n2") && Contains("Name:          n3"));
  CHECK(std::ranges::count(w.terminal.errors, '\n') == 1);
  CHECK(w.run({"why", "host", "n[1-2]"}) == 1);
  CHECK_THAT(w.terminal.printed, Contains("host n2: "));
  CHECK(w.run({"power", "status", "n[1-3]"}) == 1);
  CHECK_THAT(w.terminal.printed, Contains("n2 ") && Contains("n3 "));
}

TEST_CASE("a host is described without what may not be read", "[cli][errors]") {
  World w;
  w.hosts({"n1"});
  for (const char* part : {"/events", "/hardwaredata/"}) {
    w.refuse(part, 403);
    CHECK(w.run({"describe", "host", "n1"}) == 0);
    CHECK_THAT(w.terminal.printed, Contains("State:         provisioned"));
    CHECK_THAT(w.terminal.notes, Contains("left out: "));
  }
  w.refuse("/events", 403);
  CHECK(w.run({"describe", "host", "n1"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("Events:        not known"));
}

TEST_CASE("a tree is shown without what may not be read, and nothing is said of that", "[cli][tree]") {
  EdgeWorld w;
  w.refuse("/baremetalhosts", 403);
  CHECK(w.run({"tree", "cluster", "edge"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("machine m1: waits for host n1  ! BareMetalHost n1 cannot be read"));
  CHECK_THAT(w.terminal.notes, Contains("left out: "));
  CHECK(w.run({"why", "machine", "m1"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("cannot be read") && !Contains("delete the Machine"));
  w.refuse("/ipaddresses", 500);
  CHECK(w.run({"tree", "cluster", "edge"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("machine m1"));
  w.refuse("/metal3clusters", 403);
  CHECK(w.run({"tree", "cluster", "edge"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("Metal3Cluster edge-x7k2p: not read"));
  w.refuse("/", 401);
  CHECK(w.run({"tree", "cluster", "edge"}) == 5);
}

TEST_CASE("a machine is explained where the server does not serve Cluster API's kinds", "[cli][why]") {
  EdgeWorld w;
  w.door.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.target.find("/apis/cluster.x-k8s.io/") != std::string::npos)
      return net::HttpResponse{.status = 404, .headers = {}, .body = "404 page not found"};
    if (!request.target.ends_with("/metal3machines/m1")) return std::nullopt;
    return net::HttpResponse{.status = 200, .headers = {}, .body = R"({"metadata":{"name":"m1","namespace":"metal3",
      "ownerReferences":[{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Machine","name":"m1","uid":"u"}]}})"};
  };
  CHECK(w.run({"why", "machine", "m1"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("machine m1: waits for"));
}

TEST_CASE("the tree of a Metal3Cluster is looked for under the name of its Cluster", "[cli][tree]") {
  EdgeWorld w;
  CHECK(w.run({"tree", "cluster", "edge-x7k2p"}) == 3);
  CHECK(w.terminal.errors ==
        "there is no cluster edge-x7k2p in namespace metal3: that is the Metal3Cluster of edge; use ingotctl tree "
        "cluster edge\n");
}

TEST_CASE("a Machine of another name than its Metal3Machine leads to it", "[cli][why]") {
  EdgeWorld w;
  w.door.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.target.ends_with("/machines/worker-0")) return std::nullopt;
    return net::HttpResponse{
        .status = 200, .headers = {}, .body = R"({"metadata":{"name":"worker-0","namespace":"metal3"},
      "spec":{"clusterName":"edge","bootstrap":{},"infrastructureRef":{"apiGroup":"infrastructure.cluster.x-k8s.io",
      "kind":"Metal3Machine","name":"m1"}}})"};
  };
  const std::string command = GENERATE("why", "describe");
  CHECK(w.run({command, "machine", "worker-0"}) == 3);
  CHECK(w.terminal.errors ==
        "there is no Metal3Machine worker-0 in namespace metal3: that is the Machine of Metal3Machine m1; use that "
        "name\n");
}

TEST_CASE("one object that holds what it cannot hold is named, and the others are shown", "[cli][get]") {
  World w(World::Kinds::all);
  const auto address = [](const std::string& name, const std::string& prefix) {
    return fmt::format(R"({{"metadata":{{"name":"{0}","namespace":"metal3"}},"spec":{{"address":"{0}","prefix":{1},)"
                       R"("pool":{{"name":"p"}},"claim":{{"name":"c"}}}}}})",
                       name, prefix);
  };
  w.door.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.target.find("ipam.metal3.io") == std::string::npos || !request.target.contains("/ipaddresses"))
      return std::nullopt;
    const std::string items =
        fmt::format("{},{},{}", address("a", "24"), address("odd", "-3000000000"), address("b", "24"));
    return net::HttpResponse{
        .status = 200, .headers = {}, .body = R"({"metadata":{"resourceVersion":"1"},"items":[)" + items + "]}"};
  };
  CHECK(w.run({"get", "addresses"}) == 1);
  CHECK_THAT(w.terminal.printed, Contains("a      a") && Contains("b      b") && !Contains("odd"));
  CHECK_THAT(w.terminal.errors, Contains("address metal3/odd: spec.prefix"));
  CHECK(std::ranges::count(w.terminal.errors, '\n') == 1);
  CHECK(w.run({"get", "addresses", "-o", "name"}) == 0);
}

TEST_CASE("who may write hosts and not their status has an attempt made all the same", "[cli][retry]") {
  World w;
  w.hosts({"n1"});
  w.hostStatus("n1", R"({"provisioningFailCount":5})");
  w.refuse("/baremetalhosts/n1/status", 403);
  CHECK(w.run({"retry", "host", "n1"}) == 0);
  CHECK_THAT(w.terminal.notes, Contains("host n1: its counts of failures stay"));
  CHECK(w.host("n1").metadata.annotation("ingot.dev/retry-requested") != nullptr);
}

TEST_CASE("a watch that fails is told, and a wait that ends meanwhile ends with what is wrong", "[cli][wait]") {
  World w;
  w.hosts({"n1"});
  base::TaskGroup others(w.loop.runtime.executor, base::Log::silent());
  const auto lockedOutLater = [](World& world) -> base::Task<void> {
    co_await world.loop.clock.sleepFor(3s);
    world.refuse("/", 401);
    world.breakConnections();
  };
  others.spawn("credentials expire", lockedOutLater(w));
  CHECK(w.run({"wait", "n1", "--for", "power=off", "--timeout", "2m"}) == 5);
  CHECK_THAT(w.terminal.notes,
             Contains("watching fails, and is tried again: ") && Contains("does not accept these credentials"));
  CHECK(std::ranges::count(w.terminal.notes, '\n') == 1);
  w.loop.run(others.close());
}
