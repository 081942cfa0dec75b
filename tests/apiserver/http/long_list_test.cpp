#include "apiserver/http/reply.hpp"
#include "base/yield.hpp"
#include "json/yaml.hpp"
#include "tests/apiserver/http/fixture.hpp"

using namespace ingot;
using namespace ingot::apiserver::tests;

namespace {

const std::string kMaps = "/api/v1/namespaces/default/configmaps";
constexpr int kCount = 300;

void createMany(EmbeddedFixture& api) {
  const std::string text(2000, 'x');
  for (int i = 0; i < kCount; ++i) {
    const std::string body = fmt::format(R"({{"metadata":{{"name":"c{:03}"}},"data":{{"text":"{}"}}}})", i, text);
    REQUIRE(api.send("POST", kMaps, body).status == 201);
  }
}

// A client that does something after each piece it has read.
struct Reader final : net::Responder {
  std::function<base::Task<void>()> afterPiece;
  std::string text;
  std::size_t largest = 0;
  int pieces = 0;
  bool ended = false;

  base::Task<void> send(net::HttpResponse) override { throw std::logic_error("sent whole"); }
  base::Task<void> begin(int, net::Headers) override { co_return; }
  base::Task<void> write(std::string piece) override {
    ++pieces;
    largest = std::max(largest, piece.size());
    text += piece;
    if (afterPiece) co_await afterPiece();
  }
  base::Task<void> end() override {
    ended = true;
    co_return;
  }
  void abort() override {}
};

}  // namespace

TEST_CASE("a long list leaves in pieces, and is the same list", "[apiserver][http]") {
  EmbeddedFixture api;
  createMany(api);
  const Answered whole = api.get(kMaps);
  CHECK(whole.headers.get("Content-Type") == "application/json");
  const json::Value all = whole.json();
  CHECK(json::textAt(all, {"kind"}) == "ConfigMapList");
  REQUIRE(json::arrayAt(all, {"items"})->size() == kCount);

  json::Array joined;
  std::string next;
  do {  // short pages are answered in one
    const Answered page = api.get(kMaps + "?limit=50" + (next.empty() ? "" : "&continue=" + next));
    const json::Value list = page.json();
    for (const auto& item : *json::arrayAt(list, {"items"})) joined.push_back(item);
    next = json::textAt(list, {"metadata", "continue"});
  } while (!next.empty());
  CHECK(*json::arrayAt(all, {"items"}) == joined);
  CHECK(api.send("HEAD", kMaps).text.empty());
  CHECK(json::textAt(api.get(kMaps, "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1").json(),
                     {"kind"}) == "PartialObjectMetadataList");
}

TEST_CASE("a long list is the state at its version, however slowly it is read", "[apiserver][http]") {
  EmbeddedFixture api;
  createMany(api);
  Reader reader;
  reader.afterPiece = [&]() -> base::Task<void> {
    for (const auto* name : {"c000", "c150", "c299"})
      static_cast<void>(co_await api.client->send({.method = "DELETE", .target = kMaps + "/" + name}));
  };
  net::ServerRequest request{.method = "GET", .target = kMaps, .peer = apiserver::EmbeddedApi::localAdmin()};
  api.loop.run(api.api->handler().handle(std::move(request), reader));
  CHECK(reader.ended);
  CHECK(reader.pieces > 5);
  CHECK(reader.largest < 100'000);
  CHECK(json::arrayAt(json::parse(reader.text), {"items"})->size() == kCount);
  CHECK(json::arrayAt(api.get(kMaps).json(), {"items"})->size() == kCount - 3);
}

TEST_CASE("a long table leaves in pieces, and is the same table", "[apiserver][http][table]") {
  EmbeddedFixture api;
  createMany(api);
  constexpr const char* table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  Reader reader;
  net::ServerRequest request{
      .method = "GET", .target = kMaps, .headers = {{"Accept", table}}, .peer = apiserver::EmbeddedApi::localAdmin()};
  api.loop.run(api.api->handler().handle(std::move(request), reader));
  CHECK(reader.ended);
  CHECK(reader.pieces > 3);
  const json::Value all = json::parse(reader.text);
  CHECK(json::textAt(all, {"kind"}) == "Table");
  REQUIRE(json::arrayAt(all, {"rows"})->size() == kCount);
  const json::Value page = api.get(kMaps + "?limit=50", table).json();  // answered in one
  CHECK(*json::find(page, {"columnDefinitions"}) == *json::find(all, {"columnDefinitions"}));
  CHECK(json::arrayAt(page, {"rows"})->front() == json::arrayAt(all, {"rows"})->front());
}

TEST_CASE("a long list for people leaves in pieces, and reads as a short one does", "[apiserver][http]") {
  EmbeddedFixture api;
  createMany(api);
  struct Row {
    std::string query, accept;
  };
  const auto row = GENERATE(Row{"?pretty=true", "application/json"}, Row{"", "application/yaml"},
                            Row{"?pretty=true", "application/json;as=Table;v=v1;g=meta.k8s.io"});
  CAPTURE(row.query, row.accept);
  const std::string version = api.get(kMaps).at({"metadata", "resourceVersion"});
  Reader reader;
  net::ServerRequest request{.method = "GET",
                             .target = kMaps + row.query,
                             .headers = {{"Accept", row.accept}},
                             .peer = apiserver::EmbeddedApi::localAdmin()};
  api.loop.run(api.api->handler().handle(std::move(request), reader));
  CHECK(reader.pieces > 3);
  // The one answer that it would be: the compact list, printed at once.
  const bool yaml = row.accept == "application/yaml";
  const json::Value all = api.get(kMaps, yaml ? "application/json" : row.accept).json();
  CHECK(reader.text == (yaml ? json::toYaml(all) : apiserver::indented(all) + "\n"));
  CHECK(json::textAt(all, {"metadata", "resourceVersion"}) == version);
}

TEST_CASE("a list of few but large objects leaves in pieces too", "[apiserver][http]") {
  EmbeddedFixture api;
  for (const auto* name : {"a", "b", "c"}) {
    const std::string body =
        fmt::format(R"({{"metadata":{{"name":"{}"}},"data":{{"text":"{}"}}}})", name, std::string(200'000, 'x'));
    REQUIRE(api.send("POST", kMaps, body).status == 201);
  }
  Reader reader;
  net::ServerRequest request{.method = "GET", .target = kMaps, .peer = apiserver::EmbeddedApi::localAdmin()};
  api.loop.run(api.api->handler().handle(std::move(request), reader));
  CHECK(reader.pieces == 3);
  CHECK(json::arrayAt(json::parse(reader.text), {"items"})->size() == 3);
}

TEST_CASE("others are served while a long table is made", "[apiserver][http][table]") {
  EmbeddedFixture api;
  createMany(api);
  int turns = 0;
  bool done = false;
  base::TaskGroup tasks(api.loop.runtime.executor, api.loop.runtime.log);
  tasks.spawn("another", [](int& count, const bool* over) -> base::Task<void> {
    for (; !*over; ++count) co_await base::yieldToLoop();
  }(turns, &done));
  Reader reader;
  net::ServerRequest request{.method = "GET",
                             .target = kMaps,
                             .headers = {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}},
                             .peer = apiserver::EmbeddedApi::localAdmin()};
  api.loop.run([](net::HttpHandler& handler, net::ServerRequest r, Reader& out, bool& over) -> base::Task<void> {
    co_await handler.handle(std::move(r), out);
    over = true;
  }(api.api->handler(), std::move(request), reader, done));
  CHECK(turns >= reader.pieces - 1);
  api.loop.run(tasks.close());
}
