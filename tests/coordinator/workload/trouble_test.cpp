// Workload clusters that do not answer, or not as they should: what is said of them, and what it costs the others
// (spec/cluster-api.md §1.18).
#include "tests/coordinator/workload/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

net::HttpResponse jsonAnswer(int status, std::string body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

}  // namespace

TEST_CASE("a cluster without a server is unreachable, by its address and without its credentials") {
  WorkloadSite site;
  site.setKubeconfig("c1", withToken("https://10.0.0.9:6443", "open-sesame"));
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.see("c1") == "Unreachable");
  CHECK(site.why("c1").find("https://10.0.0.9:6443") != std::string::npos);
  CHECK(site.hasLogged("https://10.0.0.9:6443"));
  CHECK_FALSE(site.hasLogged("open-sesame"));
}

TEST_CASE("a cluster that takes requests and does not answer is told as unreachable after ten seconds") {
  WorkloadSite site;
  auto& server = site.add("c1");
  server.hangs = true;
  static_cast<void>(site.see("c1"));
  site.settle(9s);
  CHECK(site.see("c1") == "Connecting");
  site.settle(2s);
  CHECK(site.see("c1") == "Unreachable");
  CHECK(site.why("c1").find(server.origin) != std::string::npos);
  CHECK(site.told == std::vector<std::string>{"c1"});

  server.hangs = false;
  site.settle(1min);
  CHECK(site.see("c1").empty());
  CHECK(site.told == std::vector<std::string>{"c1", "c1"});
}

TEST_CASE("§1.18 a cluster that falls silent is unreachable within 45 seconds, instead of shown as it was") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  site.takeTold();
  server.hangs = true;
  site.settle(25s);
  CHECK(site.see("c1") == "n1");  // two lost answers are no outage
  site.settle(20s);
  CHECK(site.see("c1") == "Unreachable");
  CHECK(site.takeTold() == std::vector<std::string>{"c1"});

  server.hangs = false;
  site.settle(70s);
  CHECK(site.see("c1") == "n1");
  CHECK(server.watches == 1);
}

TEST_CASE("a lost answer or two are no outage") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  site.takeTold();
  server.answer = [lost = 0](const net::ServerRequest& request) mutable -> std::optional<net::HttpResponse> {
    if (request.path() != "/version" || ++lost % 3 == 0) return std::nullopt;
    return jsonAnswer(503, "{}");
  };
  site.settle(10min);
  CHECK(site.see("c1").empty());
  CHECK(site.takeTold().empty());
}

TEST_CASE("a cluster that stays away is tried again with growing pauses, at least each minute") {
  WorkloadSite site;
  site.setKubeconfig("c1", withToken("https://10.0.0.9:6443", "open-sesame"));
  std::vector<base::MonoTime> tries;
  site.network.beforeRequest = [&](const net::ClientOptions& client, const net::HttpRequest&) {
    if (client.baseUrl == "https://10.0.0.9:6443") tries.push_back(site.loop.clock.now());
  };
  static_cast<void>(site.see("c1"));
  site.settle(10s);
  CHECK(tries.size() >= 3);
  CHECK(tries.size() <= 6);
  site.settle(1h);
  CHECK(tries.size() >= 60);
  CHECK(tries.size() <= 130);
  for (std::size_t i = 1; i < tries.size(); ++i) CHECK(tries[i] - tries[i - 1] <= 60s);
  site.network.beforeRequest = nullptr;
  CHECK(std::ranges::count_if(site.sink->lines(), [](const auto& line) {
          return line.find("is not connected") != std::string::npos;
        }) == 1);
}

TEST_CASE("a hundred clusters that do not answer do not hold up one that does") {
  WorkloadSite site;
  auto& good = site.add("good");
  site.create(good, nodeNamed("n1"));
  auto& dead = site.add("dead");
  dead.hangs = true;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "c" + std::to_string(i);
    const std::string gone = fmt::format("https://10.0.0.{}:6443", i);
    site.setKubeconfig(name, withToken(i % 2 == 0 ? dead.origin : gone, "open-sesame"));
    static_cast<void>(site.see(name));
  }
  static_cast<void>(site.see("good"));
  site.settle(100ms);
  CHECK(site.see("good") == "n1");
  site.settle(5min);

  site.create(good, nodeNamed("n2"));
  site.settle(100ms);
  CHECK(site.see("good") == "n1 n2");
  for (int i = 0; i < 100; ++i) CHECK(site.see("c" + std::to_string(i)) == "Unreachable");
}

TEST_CASE("metrics show which clusters are connected") {
  WorkloadSite site;
  auto& server = site.add("c1");
  const auto shows = [&](const std::string& line) { return site.page.expose().find(line + "\n") != std::string::npos; };
  const std::string labels = R"(cluster_name="c1",cluster_namespace="metal")";
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(shows("capi_cluster_cache_connection_up{" + labels + "} 1"));
  CHECK(shows("capi_cluster_cache_healthcheck{" + labels + "} 1"));
  CHECK(shows("capi_cluster_cache_healthchecks_total{" + labels + R"(,status="success"} 1)"));

  server.hangs = true;
  site.settle(1min);
  CHECK(shows("capi_cluster_cache_connection_up{" + labels + "} 0"));
  CHECK(shows("capi_cluster_cache_healthcheck{" + labels + "} 0"));

  site.cache->forget(site.key("c1"));
  site.settle(1min);
  CHECK(site.page.expose().find("c1") == std::string::npos);
}

TEST_CASE("metrics show a cluster as not connected whose kubeconfig never got as far as a connection") {
  WorkloadSite site;
  const auto isDown = [&](const std::string& name) {
    return site.page.expose().contains("capi_cluster_cache_connection_up{cluster_name=\"" + name +
                                       "\",cluster_namespace=\"metal\"} 0\n");
  };
  site.setKubeconfig("refused", KubeconfigText{.server = "https://c1.test", .user = "exec: {command: thing}"}.text());
  for (const std::string name : {"refused", "missing"}) {
    static_cast<void>(site.see(name));
    site.settle();
    CHECK(isDown(name));
    site.cache->forget(site.key(name));
    CHECK_FALSE(isDown(name));
  }
}

TEST_CASE("an untrusted certificate is told as such") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.network.beforeRequest = [&](const net::ClientOptions& client, const net::HttpRequest& request) {
    if (client.baseUrl == server.origin)
      throw net::HttpError(net::HttpError::Code::tls,
                           "GET " + server.origin + request.target + ": self-signed certificate of open-sesame");
  };
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.see("c1") == "Untrusted");
  CHECK(site.why("c1") == server.origin + " is not trusted: its certificate is self-signed");
  site.network.beforeRequest = nullptr;
}

TEST_CASE("a server that refuses to list its Nodes is not connected, and its words are not repeated") {
  WorkloadSite site;
  auto& server = site.add("c1");
  const auto refuse = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/version") return std::nullopt;
    return jsonAnswer(403, R"({"kind":"Status","reason":"Forbidden","message":"not with )" +
                               request.headers.get("Authorization") + R"(","code":403})");
  };
  server.answer = refuse;
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.see("c1") == "Forbidden");
  CHECK(site.why("c1") == server.origin + " gave no usable answer when asked for its Nodes (Forbidden)");

  server.answer = nullptr;
  site.settle(1min);
  CHECK(site.see("c1").empty());
  server.answer = refuse;
  try {
    static_cast<void>(site.run(site.cache->patchNode(site.key("c1"), "n1", json::Object{})));
    FAIL("it was carried out");
  } catch (const kube::Error& e) {
    CHECK(e.code() == kube::Error::Code::forbidden);
    CHECK(std::string(e.what()).find("open-sesame") == std::string::npos);
  }
  CHECK_FALSE(site.hasLogged("open-sesame"));
}

TEST_CASE("what is no Kubernetes is not connected") {
  WorkloadSite site;
  auto& server = site.add("c1");
  const std::string answers[] = {"<html>open-sesame</html>", "[]", "{}", R"({"items":[7]})",
                                 R"({"items":[{"metadata":"open-sesame"}]})"};
  for (const auto& body : answers) {
    INFO(body);
    server.answer = [&](const net::ServerRequest&) { return jsonAnswer(200, body); };
    static_cast<void>(site.see("c1"));
    site.settle(5min);
    CHECK(site.see("c1") == "Failing");
    CHECK_FALSE(site.hasLogged("open-sesame"));
  }
}

TEST_CASE("a list of Nodes that has not come to its end within five minutes is given up") {
  WorkloadSite site;
  auto& server = site.add("c1");
  server.thinks = 9s;  // within the deadline of a request
  server.thinksAt = "/api/v1/nodes";
  server.answer = [page = 0](const net::ServerRequest& request) mutable -> std::optional<net::HttpResponse> {
    if (request.path() == "/version") return std::nullopt;
    return jsonAnswer(200, fmt::format(R"({{"kind":"NodeList","apiVersion":"v1","metadata":{{"resourceVersion":"7",)"
                                       R"("continue":"more"}},"items":[{{"metadata":{{"name":"n{}"}}}}]}})",
                                       ++page));
  };
  static_cast<void>(site.see("c1"));
  site.settle(4min + 50s);
  CHECK(site.see("c1") == "Connecting");
  site.settle(20s);
  CHECK(site.see("c1") == "Failing");
  CHECK(site.why("c1") == server.origin + " did not list its Nodes in time");
}

TEST_CASE("a watch that tells nothing for five minutes is not believed") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  server.answer = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/version") return std::nullopt;
    return jsonAnswer(403, R"({"kind":"Status","message":"not with )" + request.headers.get("Authorization") + R"("})");
  };
  site.network.remove(server.origin);  // what is under way breaks
  site.network.serve(server.origin, server, apiserver::EmbeddedApi::localAdmin());
  site.settle(4min);
  CHECK(site.see("c1") == "n1");
  site.settle(90s);
  CHECK(site.see("c1") == "Forbidden");
  CHECK_FALSE(site.hasLogged("open-sesame"));
}

}  // namespace ingot::tests
