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
    json::Object annotations, owned;
    for (int i = 0; i < 10'000; ++i) {
      annotations[fmt::format("site/{}", i)] = std::string(50, 'x');
      owned[fmt::format("f:site/{}", i)] = json::Object{};
    }
    object.at("metadata").at("managedFields").at(0).as_object()["fieldsV1"] =
        json::Object{{"f:metadata", json::Object{{"f:annotations", std::move(owned)}}}};
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

TEST_CASE("what of an object is not done and was not shown for its size is told once the rest is done", "[shadow]") {
  Beside site;
  const std::string value = '"' + std::string(1000, 'x') + '"';
  for (int i = 0; i < 60; ++i) site.want(value, "1", fmt::format("spec.field-{:02}-{}", i, std::string(200, 'f')));
  site.pass(61s);
  REQUIRE(site.book.differences().size() == 1);
  const auto first = site.book.differences().front();
  REQUIRE(first.leftOut > 0);
  json::Object spec;
  for (const auto& field : first.fields) spec[field.path.substr(5)] = std::string(1000, 'x');
  site.book.seen(kMachine, machine("2", json::serialize(spec)), Book::Sight::watched);
  site.pass(1s);
  for (auto i = static_cast<int>(first.fields.size()); i < 60; ++i)
    site.want(value, "2", fmt::format("spec.field-{:02}-{}", i, std::string(200, 'f')));
  site.pass(61s);
  REQUIRE_FALSE(site.book.differences().empty());
  CHECK(site.book.differences().back().fields.front().path > first.fields.back().path);
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

TEST_CASE("names that stand in the paths of many fields cost no more than they may", "[shadow]") {
  const std::string name(150'000, 'n');
  json::Object members;
  for (int i = 0; i < 15'000; ++i) members[fmt::format("a{}", i)] = 1;
  CHECK_THROWS_AS(fieldsOf(json::Object{{"spec", json::Object{{name, members}}}}), TooLarge);
  Beside site;
  const ObjectId node{"workload", "nodes", {"", "n"}};
  const std::pair<const char*, json::Value> rows[] = {
      {"metadata", json::Object{{name, members}}},
      {"spec", json::Object{{name, members}}},
      {"other", json::Object{{name, members}}},
  };
  for (const auto& [part, value] : rows) {
    CAPTURE(part);
    json::Object object{{"metadata", json::Object()}, {part, value}};
    for (const auto& [key, text] : {std::pair("name", "n"), std::pair("resourceVersion", "2")})
      object["metadata"].as_object()[key] = text;
    site.book.seen(node, std::move(object), Book::Sight::watched);
    CHECK(site.book.known() == 2);
    CHECK(site.book.keptBytes() < 2000);
    site.book.gone(node);
  }
  json::Object labels{
      {"metadata", json::Object{{"name", "n"}, {"resourceVersion", "2"}, {"labels", json::Object{{name, members}}}}}};
  site.book.seen(node, std::move(labels), Book::Sight::watched);
  CHECK(site.book.known() == 1);
  CHECK(site.book.notKept() == 1);
}

TEST_CASE("Nodes without a version, or in a namespace, are none", "[shadow]") {
  Tenants site;
  for (int i = 0; i < 100; ++i) {
    const json::Value nodes[] = {
        json::Object{{"name", fmt::format("n-{}", i)}},
        json::Object{{"name", "n"}, {"namespace", fmt::format("x{}", i)}, {"resourceVersion", "7"}},
    };
    for (const auto& metadata : nodes) {
      site.body =
          json::serialize(json::Object{{"kind", "NodeList"},
                                       {"metadata", json::Object{{"resourceVersion", "9"}, {"continue", "more"}}},
                                       {"items", json::Array{json::Object{{"metadata", metadata}}}}});
      site.run(site.clients.at(Tenants::kOne)->send({.method = "GET", .target = "/api/v1/nodes?limit=50"}));
    }
  }
  CHECK(site.book.known() == 0);
}

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
        {"metadata",
         json::Object{
             {"name", "n"}, {"resourceVersion", version}, {"labels", json::Object{{"x", std::string(size, 'x')}}}}}});
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

TEST_CASE("a Node that says it is something else is a Node", "[shadow]") {
  Tenants site;
  site.fence.home("https://home.test");
  site.book.seen(kMachine, machine("1", R"({"a":"old"})"), Book::Sight::listed);
  site.body = R"({"kind":"Metal3MachineList","metadata":{"resourceVersion":"9"},"items":[
      {"kind":"Metal3Machine","metadata":{"name":"x","resourceVersion":"7"}}]})";
  site.run(site.clients.at(Tenants::kOne)->send({.method = "GET", .target = "/api/v1/nodes"}));
  CHECK(site.book.known() == 2);
  site.book.decided({.controller = "ipam",
                     .verb = "create",
                     .object = kAddress,
                     .kind = "IPAddress",
                     .version = "",
                     .fields = {{"", std::nullopt, "true"}},
                     .reason = "",
                     .owners = {{"Metal3Machine", "m"}}});
  for (int i = 0; i < 61; ++i) {
    site.clock.advance(1s);
    site.book.look();
  }
  REQUIRE(site.book.differences().size() == 1);
  CHECK(site.book.differences().front().outcome == Outcome::notDone);
}

// A Node whose taints `manager` changes every few seconds.
void flap(Beside& site, const std::string& cluster, int times, int from = 1) {
  for (int i = from; i < from + times; ++i) {
    const std::string version = std::to_string(i);
    site.book.seen({cluster, "nodes", {"", "n"}},
                   json::parse(fmt::format(
                       R"({{"metadata":{{"name":"n","resourceVersion":"{}","managedFields":[{{"manager":"{}",
                           "time":"2026-11-22T04:23:18Z","fieldsV1":{{"f:spec":{{}}}}}}]}},"spec":{{"taints":"{}"}}}})",
                       version, kTheirs, version)),
                   Book::Sight::watched);
    site.clock.advance(6s);
  }
}

std::size_t toldOf(const Beside& site, const std::string& cluster) {
  return static_cast<std::size_t>(std::ranges::count_if(
      site.book.differences(), [&](const Difference& each) { return each.object.cluster == cluster; }));
}

TEST_CASE("what one workload cluster tells takes no other's place in the report", "[shadow]") {
  Beside site({.differences = 10});
  site.want(R"("new")");
  site.pass(61s);
  flap(site, "https://quiet.test", 2);
  CHECK(toldOf(site, "") == 1);
  const std::size_t quiet = toldOf(site, "https://quiet.test");
  CHECK(quiet > 0);
  flap(site, "https://loud.test", 50);
  CHECK(site.book.differences().size() == 10);
  CHECK(toldOf(site, "") == 1);
  CHECK(toldOf(site, "https://quiet.test") == quiet);
}

TEST_CASE("workload clusters have half of the report, and the management cluster the rest", "[shadow]") {
  Beside site({.differences = 10});
  for (int i = 0; i < 20; ++i) flap(site, fmt::format("https://{}.test", i), 3);
  CHECK(toldOf(site, "") == 0);
  for (int i = 2; i < 20; ++i) {
    site.pass(6s);
    site.book.seen(kMachine, machine(std::to_string(i), fmt::format(R"({{"a":"{}"}})", i)), Book::Sight::watched);
  }
  CHECK(toldOf(site, "") == 5);
  CHECK(site.book.differences().size() == 10);
}

TEST_CASE("what stands as not done is told again once there is room", "[shadow]") {
  Beside site({.differences = 2});
  site.want(R"("new")");
  site.pass(61s);
  const ObjectId other{"", kMachine.resource, {"metal", "other"}};
  site.book.seen(other, machine("1", R"({"a":"x"})"), Book::Sight::listed);
  for (int i = 2; i < 5; ++i) {
    site.pass(6s);
    site.book.seen(other, machine(std::to_string(i), fmt::format(R"({{"a":"{}"}})", i)), Book::Sight::watched);
  }
  const auto isStanding = [&] {
    return std::ranges::any_of(site.book.differences(),
                               [](const Difference& each) { return each.outcome == Outcome::notDone; });
  };
  CHECK_FALSE(isStanding());
  site.pass(2s);
  CHECK_FALSE(isStanding());  // nothing takes the place of what is newer
  site.book.decided({.controller = "metal3machine",
                     .verb = "update",
                     .object = other,
                     .kind = "Metal3Machine",
                     .version = "3",
                     .fields = {{"spec.a", std::nullopt, "1"}},
                     .reason = ""});  // on a version that had just gone: the newest was foreseen after all
  site.pass(2s);
  CHECK(isStanding());
  CHECK(site.count(Outcome::notDone) == 1);
}

}  // namespace
}  // namespace ingot::tests
