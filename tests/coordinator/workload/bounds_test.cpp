// What a workload cluster may take of memory and time, whatever it sends.
#include "tests/coordinator/workload/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

net::HttpResponse jsonAnswer(int status, std::string body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

// So many Nodes, each with a label of so many bytes.
std::string nodeList(std::size_t count, std::size_t bytes) {
  json::Array items;
  for (std::size_t i = 0; i < count; ++i)
    items.push_back(
        json::Object{{"metadata", json::Object{{"name", fmt::format("n{}", i)},
                                               {"resourceVersion", "7"},
                                               {"annotations", json::Object{{"a", std::string(bytes, 'x')}}}}}});
  return json::serialize(json::Object{{"kind", "NodeList"},
                                      {"apiVersion", "v1"},
                                      {"metadata", json::Object{{"resourceVersion", "7"}}},
                                      {"items", std::move(items)}});
}

// Pages of one Node each, as `edit` makes them, until it is enough: how many. More than one, or it was no page that was
// too much.
int pagesUntilEnough(const std::function<void(json::Object& node, int page)>& edit) {
  WorkloadSite site;
  site.kill();
  site.options.mostNodeBytes = 1u << 20;
  site.options.mostNodes = 1000;
  site.start();
  auto& server = site.add("c1");
  int pages = 0;
  server.answer = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/version") return std::nullopt;
    json::Value page = json::parse(nodeList(1, 0));
    page.at("metadata").as_object()["continue"] = ++pages < 5000 ? "more" : "";
    edit(page.at("items").as_array()[0].as_object(), pages);
    return jsonAnswer(200, json::serialize(page));
  };
  static_cast<void>(site.see("c1"));
  site.settle(100ms);
  CHECK(site.see("c1") == "Failing");
  CHECK(pages > 1);
  return pages;
}

// Cluster c1, with one Node that was seen, and so many events at most.
WorkloadServer& tellsAtMost(WorkloadSite& site, net::RequestRate rate) {
  site.kill();
  site.options.newsRate = rate;
  site.start();
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle(30s);
  return server;
}

}  // namespace

TEST_CASE("what a cluster sends is bounded") {
  WorkloadSite site;
  site.kill();
  site.options.mostNodes = 100;
  site.options.mostNodeBytes = 1u << 20;
  site.options.replyLimit = 200u << 10;
  site.start();
  auto& server = site.add("c1");
  std::string list;
  server.answer = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/version") return std::nullopt;
    return jsonAnswer(200, list);
  };
  const auto tryWith = [&](std::size_t count, std::size_t bytes) {
    list = nodeList(count, bytes);
    site.cache->forget(site.key("c1"));
    static_cast<void>(site.see("c1"));
    site.settle(100ms);
    return site.see("c1");
  };
  CHECK(tryWith(1, 100) == "n0");
  CHECK(tryWith(101, 10) == "Failing");
  CHECK(site.why("c1") == server.origin + " has more than 100 Nodes");
  CHECK(tryWith(2, 120'000) == "Failing");  // the reply
  CHECK(tryWith(1, 150'000) == "n0");
}

TEST_CASE("pages without end do not fill the memory") {
  const std::string big(50'000, 'x');
  struct Row {
    const char* where;
    std::function<void(json::Object& node)> put;
  };
  const Row rows[] = {
      {"an annotation", [&](auto& node) { node["metadata"].as_object()["annotations"] = json::Object{{"a", big}}; }},
      {"the uid", [&](auto& node) { node["metadata"].as_object()["uid"] = big; }},
      {"generateName", [&](auto& node) { node["metadata"].as_object()["generateName"] = big; }},
      {"the version", [&](auto& node) { node["metadata"].as_object()["resourceVersion"] = big; }},
      {"a taint", [&](auto& node) { node["spec"] = json::Object{{"taints", {json::Object{{"effect", big}}}}}; }},
      {"a condition",
       [&](auto& node) { node["status"] = json::Object{{"conditions", {json::Object{{"status", big}}}}}; }},
      {"an address", [&](auto& node) { node["status"] = json::Object{{"addresses", {json::Object{{"type", big}}}}}; }},
      {"the kubelet",
       [&](auto& node) { node["status"] = json::Object{{"nodeInfo", json::Object{{"kubeletVersion", big}}}}; }},
  };
  for (const Row& row : rows) {
    INFO(row.where);
    CHECK(pagesUntilEnough([&](json::Object& node, int page) {
            node["metadata"].as_object()["name"] = fmt::format("n{}", page);
            row.put(node);
          }) < 25);
  }
}

TEST_CASE("Nodes that cannot be decoded do not fill the memory either") {
  const std::string big(50'000, 'x');
  const auto spoilt = [&](const char* field) {
    return pagesUntilEnough([&](json::Object& node, int page) {
      node["spec"] = 7;
      node["metadata"].as_object()["name"] = fmt::format("n{}", page);
      node["metadata"].as_object()[field] = fmt::format("{}{}", big, page);
    });
  };
  CHECK(spoilt("name") < 25);
  CHECK(spoilt("uid") < 25);
}

TEST_CASE("what is no name of a Node is not kept as one") {
  for (const std::string& name : {std::string(254, 'n'), std::string("Bearer eyJhbGciOi"), std::string("a\nb")}) {
    INFO(name);
    CHECK(pagesUntilEnough([&](json::Object& node, int) { node["metadata"].as_object()["name"] = name; }) < 25);
  }
}

TEST_CASE("pages of a Node each are not read to their end") {
  CHECK(pagesUntilEnough([](json::Object& node, int page) {
          node["metadata"].as_object()["name"] = fmt::format("n{}", page);
        }) < 100);
}

TEST_CASE("one Node over and over does not keep the list going") {
  CHECK(pagesUntilEnough([](json::Object& node, int) { node["metadata"].as_object()["name"] = "n"; }) < 1100);
}

TEST_CASE("a cluster that sends much is read no faster than everybody can bear") {
  WorkloadSite site;
  auto& server = site.add("c1");
  int pages = 0;
  server.answer = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/version") return std::nullopt;
    if (request.query().find("watch=true") != std::string_view::npos) return jsonAnswer(200, "");
    json::Value page = json::parse(nodeList(1, 0));
    page.at("items").as_array()[0].at("metadata").as_object()["name"] = fmt::format("n{}", ++pages);
    if (pages < 30) page.at("metadata").as_object()["continue"] = "more";
    return jsonAnswer(200, json::serialize(page) + std::string(5u << 20, ' '));
  };
  static_cast<void>(site.see("c1"));
  site.settle(5s);
  CHECK(site.see("c1") == "Connecting");
  CHECK(pages < 25);
  site.settle(15s);
  CHECK(pages == 30);
  CHECK(site.nodes("c1").size() == 30);
}

TEST_CASE("a call that waits for what its cluster has used up ends in time") {
  WorkloadSite site;
  site.kill();
  site.options.bytesPerSecondOfAll = 256u << 10;
  site.start();
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  server.answer = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "GET") return std::nullopt;
    return net::HttpResponse{.status = 200, .body = R"({"metadata":{"name":")" + std::string(7u << 20, 'x') + R"("}})"};
  };
  const auto begun = site.loop.clock.now();
  static_cast<void>(site.run(site.cache->patchNode(site.key("c1"), "n1", json::Object{})));
  CHECK(site.loop.clock.now() == begun);
  SECTION("a patch") {
    CHECK_THROWS_AS(site.run(site.cache->patchNode(site.key("c1"), "n1", json::Object{})), kube::Error);
  }
  SECTION("a deletion") { CHECK_THROWS_AS(site.run(site.cache->deleteNode(site.key("c1"), "n1", "uid")), kube::Error); }
  CHECK(site.loop.clock.now() == begun + site.options.deadline);
}

TEST_CASE("a Node that grows without end ends the connection") {
  WorkloadSite site;
  site.kill();
  site.options.mostNodeBytes = 20'000;
  site.start();
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.see("c1") == "n1");
  site.patch(server, "n1", R"({"metadata":{"annotations":{"a":")" + std::string(30'000, 'x') + R"("}}})");
  site.settle(100ms);
  CHECK(site.see("c1") == "Failing");
}

TEST_CASE("a Node that grows and shrinks while the cluster is probed ends the connection too") {
  WorkloadSite site;
  site.kill();
  site.options.mostNodeBytes = 20'000;
  site.start();
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  server.hangsAt = "/version";
  site.settle(10s);  // the probe is under way
  site.patch(server, "n1", R"({"metadata":{"annotations":{"a":")" + std::string(30'000, 'x') + R"("}}})");
  site.patch(server, "n1", R"({"metadata":{"annotations":null}})");
  site.settle(5s);
  CHECK(site.see("c1") == "Failing");
}

TEST_CASE("a cluster that never stops telling of its Nodes is left alone for a while") {
  WorkloadSite site;
  auto& server = tellsAtMost(site, {.perSecond = 20, .burst = 20});
  const auto patchTimes = [&](int times) {
    for (int i = 0; i < times; ++i)
      site.patch(server, "n1", fmt::format(R"({{"metadata":{{"labels":{{"i":"{}"}}}}}})", i));
    site.settle(10ms);
  };
  patchTimes(5);
  CHECK(site.see("c1") == "n1");
  patchTimes(30);
  CHECK(site.see("c1") == "Failing");
  CHECK(site.why("c1") == server.origin + " tells of its Nodes without pause");
  site.settle();
  CHECK(site.see("c1") == "n1");
}

TEST_CASE("a cluster that always tells a little too much of its Nodes is left alone, too") {
  WorkloadSite site;
  auto& server = tellsAtMost(site, {.perSecond = 10, .burst = 20});
  const int perSecond = GENERATE(4, 8);  // each is counted twice: 8 is more than 10, and in no second more than 20
  for (int i = 0; i < 10 * perSecond; ++i) {
    site.patch(server, "n1", fmt::format(R"({{"metadata":{{"labels":{{"i":"{}"}}}}}})", i));
    site.settle(1000ms / perSecond);
    if (site.see("c1") != "n1") break;
  }
  CHECK(site.see("c1") == (perSecond == 4 ? "n1" : "Failing"));
}

TEST_CASE("a cluster that floods again and again is left alone for longer and longer") {
  WorkloadSite site;
  site.kill();
  site.options.newsRate = {.perSecond = 20, .burst = 20};
  site.start();
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  for (int flood = 0; flood < 6; ++flood) {
    REQUIRE(site.see("c1") == "n1");
    site.settle(15s);  // it has lasted
    for (int i = 0; i < 30; ++i)
      site.patch(server, "n1", fmt::format(R"({{"metadata":{{"labels":{{"i":"{}-{}"}}}}}})", flood, i));
    site.settle(10ms);
    REQUIRE(site.see("c1") == "Failing");
    if (flood < 5) site.settle(40s);
  }
  site.settle(10s);
  CHECK(site.see("c1") == "Failing");
}

}  // namespace ingot::tests
