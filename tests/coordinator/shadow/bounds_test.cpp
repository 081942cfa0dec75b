// What a shadow keeps and tells stays bounded, whoever may write what it looks at.
#include "base/log.hpp"
#include "coordinator/shadow/report.hpp"
#include "coordinator/shadow/shadow.hpp"
#include "tests/coordinator/shadow/beside.hpp"
#include "tests/net/pair.hpp"

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;
using namespace shadowed;

std::size_t bytesOf(const Difference& difference) { return json::serialize(documentOf(difference)).size(); }

TEST_CASE("one change of ten thousand annotations, or of a megabyte, is told in some kilobytes", "[shadow]") {
  Beside site;
  json::Value object = machine("2", R"({"a":"old"})");
  SECTION("ten thousand") {
    json::Object annotations;
    for (int i = 0; i < 10'000; ++i) annotations[fmt::format("site/{}", i)] = std::string(50, 'x');
    object.at("metadata").as_object()["annotations"] = std::move(annotations);
  }
  SECTION("a megabyte, quotes that are escaped twice") {
    for (const char* path : {"a", "b", "c"}) object.at("spec").as_object()[path] = std::string(1 << 20, '"');
  }
  SECTION("a megabyte of names") {
    for (int i = 0; i < 10; ++i) object.at("spec").as_object()[std::string(100'000, static_cast<char>('a' + i))] = "x";
  }
  site.book.seen(kMachine, std::move(object), Book::Sight::watched);
  site.only(Outcome::notForeseen);
  REQUIRE(site.book.differences().size() == 1);
  const auto& found = site.book.differences().front();
  CHECK_FALSE(found.fields.empty());
  CHECK(bytesOf(found) < 32'000);
  if (found.fields.size() > 10) {
    CHECK(found.fields.size() + found.leftOut == 10'000);
    CHECK(json::intAt(json::Value(documentOf(found)), {"fieldsLeftOut"}) == static_cast<std::int64_t>(found.leftOut));
  }
}

TEST_CASE("a long field that was told as not done is forgotten when it is done", "[shadow]") {
  Beside site;
  const std::string path = "spec." + std::string(1000, 'x');
  site.want(R"("new")", "1", path);
  site.pass(61s);
  REQUIRE(site.book.differences().size() == 1);
  site.book.gone(kMachine);
  CHECK(site.book.differences().empty());
}

// Two workload clusters whose APIs tell whatever the test says, page after page.
struct Tenants : Loop {
  Tenants() {
    for (const char* cluster : {kOne, kTwo}) {
      network.serve(cluster, server);
      clients[cluster] = fence.connect({.baseUrl = cluster, .userAgent = userAgentOf("metal3machine")});
    }
  }
  ~Tenants() {
    clients.clear();
    run(network.close());
  }
  Tenants(const Tenants&) = delete;
  Tenants& operator=(const Tenants&) = delete;

  // The last page never comes.
  void list(const char* cluster, int page, std::size_t size, const std::string& next = "more") {
    json::Array items;
    for (int i = 0; i < 50; ++i)
      items.push_back(json::Object{{"metadata", json::Object{{"name", fmt::format("n-{}-{}", page, i)},
                                                             {"resourceVersion", "7"},
                                                             {"labels", json::Object{{"x", std::string(size, 'x')}}}}},
                                   {"status", json::Object{{"images", std::string(10'000, 'i')}}}});
    body = json::serialize(json::Object{{"kind", "NodeList"},
                                        {"metadata", json::Object{{"resourceVersion", "9"}, {"continue", next}}},
                                        {"items", std::move(items)}});
    run(clients.at(cluster)->send({.method = "GET", .target = "/api/v1/nodes?limit=50"}));
  }

  static constexpr const char *kOne = "https://one.test", *kTwo = "https://two.test";
  net::Loopback network{runtime};
  std::string body;
  Handler server{[this](net::ServerRequest, net::Responder& out) { return out.send({.status = 200, .body = body}); }};
  base::Metrics metrics;
  Book book{clock, "salt", {.clusterBytes = 200'000, .clustersBytes = 300'000}};
  Fence fence{runtime, network, book, metrics, "salt"};
  std::map<std::string, std::unique_ptr<net::HttpClient>> clients;
};

TEST_CASE("Nodes of workload clusters are kept up to a bound, and as long as somebody looks at them", "[shadow]") {
  Tenants site;
  for (int page = 0; page < 20; ++page) site.list(Tenants::kOne, page, 1000);
  const std::size_t ofOne = site.book.known();
  CHECK(ofOne > 50);
  CHECK(site.book.keptBytes() < 200'000);
  CHECK(site.book.notKept() == 1000 - ofOne);
  for (int page = 0; page < 20; ++page) site.list(Tenants::kTwo, page, 1000);
  CHECK(site.book.known() > ofOne);
  CHECK(site.book.keptBytes() < 300'000);
  site.clients.erase(Tenants::kOne);
  CHECK(site.book.known() > 0);
  CHECK(site.book.known() < ofOne);
  for (int page = 20; page < 40; ++page) site.list(Tenants::kTwo, page, 1000);
  CHECK(site.book.known() + 1 >= ofOne);  // there is room again
  site.clients.erase(Tenants::kTwo);
  CHECK(site.book.known() == 0);
  CHECK(site.book.keptBytes() == 0);
}

TEST_CASE("of a Node nothing is kept that Metal3 does not write", "[shadow]") {
  Tenants site;
  site.list(Tenants::kOne, 0, 10);
  CHECK(site.book.known() == 50);
  CHECK(site.book.keptBytes() < 50 * 200);
}

TEST_CASE("a Node that grows past the bound is forgotten, and one that shrinks makes room", "[shadow]") {
  Tenants site;
  const ObjectId id{Tenants::kOne, "nodes", {"", "n"}};
  const auto node = [](const char* version, std::size_t size) {
    return json::Value(json::Object{
        {"kind", "Node"},
        {"metadata", json::Object{{"name", "n"}, {"resourceVersion", version}, {"uid", std::string(size, 'x')}}}});
  };
  site.book.seen(id, node("1", 100'000), Book::Sight::listed);
  CHECK(site.book.known() == 1);
  site.book.seen(id, node("2", 250'000), Book::Sight::watched);
  CHECK(site.book.known() == 0);
  CHECK(site.book.notKept() == 1);
  site.book.seen(id, node("3", 150'000), Book::Sight::watched);
  CHECK(site.book.known() == 1);
  site.book.seen(id, node("4", 10), Book::Sight::watched);
  site.list(Tenants::kOne, 0, 1000);
  CHECK(site.book.known() == 51);
}

TEST_CASE("an object whose name is none is not looked at", "[shadow]") {
  Tenants site;
  site.body = R"({"kind":"NodeList","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":")" +
              std::string(100'000, 'x') +
              R"(","resourceVersion":"1"}},{"metadata":{"name":"n","resourceVersion":"1"}}]})";
  site.run(site.clients.at(Tenants::kOne)->send({.method = "GET", .target = "/api/v1/nodes"}));
  CHECK(site.book.known() == 1);
}

}  // namespace
}  // namespace ingot::tests
