// What an event costs when many watch: it is made into a line once for a form and a version.
#include "apiserver/http/event_lines.hpp"
#include "tests/apiserver/crd/boxes.hpp"

using namespace ingot;
using namespace ingot::apiserver::tests;

namespace {

// Boxes whose conversions are counted; read as v1 each rendering takes one.
struct CountedBoxes : Boxes {
  CountedBoxes() {
    client = loopback.connect({.baseUrl = "http://api", .maxConnections = 20});
    converter->spoil = [this](json::Value&) { ++conversions; };
  }

  std::unique_ptr<net::HttpStream> watch(const std::string& accept) {
    return loop.run(client->open({.method = "GET", .target = kOld + "?watch=true", .headers = {{"Accept", accept}}}));
  }
  std::string next(net::HttpStream& watcher) {
    return loop.run(watcher.next(std::chrono::seconds(10))).value_or("the stream has ended");
  }

  int conversions = 0;
};

constexpr const char* kPartial = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

}  // namespace

TEST_CASE("an event is rendered once for a form and a version, however many watch", "[apiserver][http][watch]") {
  CountedBoxes api;
  std::vector<std::unique_ptr<net::HttpStream>> whole, partial;
  for (int i = 0; i < 5; ++i) {
    whole.push_back(api.watch("application/json"));
    partial.push_back(api.watch(kPartial));
  }
  REQUIRE(api.send("POST", kNew, box("v2", "a", R"({"paint":{"colour":"red"}})")).status == 201);
  std::set<std::string> wholeLines, partialLines;
  for (const auto& watcher : whole) wholeLines.insert(api.next(*watcher));
  for (const auto& watcher : partial) partialLines.insert(api.next(*watcher));
  CHECK(api.conversions == 2);
  REQUIRE(wholeLines.size() == 1);
  CHECK_THAT(*wholeLines.begin(), Catch::StartsWith(R"({"type":"ADDED")") && Catch::Contains(R"("colour":"red")"));
  REQUIRE(partialLines.size() == 1);
  CHECK_THAT(*partialLines.begin(), Catch::Contains(R"("kind":"PartialObjectMetadata")"));
}

TEST_CASE("a line that many watchers want is made once", "[apiserver][http][watch]") {
  apiserver::EventLines lines(1000);
  int made = 0;
  const auto render = [&] { return std::string(300, static_cast<char>('a' + made++)); };
  const auto key = [&](apiserver::Revision revision, const char* form = "hosts/v1") {
    return apiserver::EventLines::Key{lines.form(form), revision, apiserver::WatchEvent::Type::modified};
  };
  const auto first = lines.line(key(1), 7, render);
  CHECK(lines.line(key(1), 7, render) == first);
  CHECK(made == 1);
  CHECK(lines.line(key(1, "hosts/v2"), 7, render) != first);
  CHECK(lines.line(key(2), 7, render) != first);
  CHECK(made == 3);
  (void)lines.line(key(3), 7, render);  // past the bytes that are kept the oldest goes
  (void)lines.line(key(1), 7, render);
  CHECK(made == 5);
  (void)lines.line(key(1), 8, render);  // a kind was defined anew
  CHECK(made == 6);
}
