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
