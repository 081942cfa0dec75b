// Servers that do not keep to the API: they are not believed, and cost little.
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using Code = kube::Error::Code;

constexpr std::string_view kLists = "GET /apis/test.ingot.dev/v1/widgets?limit";
constexpr std::string_view kWatches = "GET /apis/test.ingot.dev/v1/widgets?watch";

bool isWatch(const net::ServerRequest& request) { return request.target.find("watch=true") != std::string::npos; }

struct Strange : Cluster {
  kube::Cache<Widget> cache{runtime, client->api()};
  ~Strange() { run(tasks.close()); }

  void start() {
    cache.start(tasks);
    run(cache.synced());
  }
  void answerWatches(const std::string& body) {
    api.fault = [body](const net::ServerRequest& request) -> std::optional<Fault> {
      if (!isWatch(request)) return std::nullopt;
      return Fault{.status = 200, .body = body};
    };
  }
  void answerLists(const std::string& body) {
    api.fault = [body](const net::ServerRequest& request) -> std::optional<Fault> {
      if (isWatch(request)) return std::nullopt;
      return Fault{.status = 200, .body = body};
    };
  }
  [[nodiscard]] std::optional<Code> listing() {
    try {
      static_cast<void>(run(client->api().list(kube::Resource::of(Widget::info))));
    } catch (const kube::Error& e) {
      return e.code();
    }
    return std::nullopt;
  }
  // It goes on when the server does.
  [[nodiscard]] bool heals() {
    api.fault = {};
    put("healed", 1);
    return until([&] { return cache.find({"ns", "healed"}) != nullptr; }, 5min);
  }
};

std::string times(std::size_t count, const std::string& text, const std::string& between) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : between) + text;
  return out;
}

}  // namespace

TEST_CASE("a watch that tells a little and is then too old is tried with growing pauses", "[kube][watch]") {
  Strange w;
  w.answerWatches(R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"101"}}})"
                  "\n"
                  R"({"type":"ERROR","object":{"kind":"Status","reason":"Expired","code":410}})"
                  "\n");
  w.start();
  w.advance(10s);
  CHECK(w.api.count(kLists) <= 20);
  CHECK(w.sink->contains("watching fails"));
  CHECK(w.heals());
}

TEST_CASE("what is no list of objects is not taken for an empty one", "[kube][client]") {
  Strange w;
  for (const char* body : {"{}", R"({"items":{}})", R"({"items":"none"})", R"({"items":[7]})", R"({"items":[null]})"}) {
    INFO(body);
    w.answerLists(body);
    CHECK(w.listing() == Code::badAnswer);
  }
  for (const char* body : {R"({"items":[]})", R"({"items":null})"}) {
    INFO(body);
    w.answerLists(body);
    CHECK_FALSE(w.listing());
  }
}

// A server may leave the limit of a page aside.
TEST_CASE("a page of more objects than asked for is taken, but not of things too small to be objects",
          "[kube][client]") {
  Strange w;
  w.answerLists(R"({"items":[)" + times(501, "{}", ",") + "]}");
  CHECK(w.listing() == Code::badAnswer);
  const std::string object =
      R"({"metadata":{"name":"a","namespace":"ns","uid":"46a4bb51-8be7-4d0c-b573-6e7c6a2ea3bb","resourceVersion":"7"}})";
  w.answerLists(R"({"items":[)" + times(501, object, ",") + "]}");
  CHECK_FALSE(w.listing());
}

TEST_CASE("pages that are too long to be read are asked for with fewer objects", "[kube][watch]") {
  Strange w;
  for (int i = 0; i < 40; ++i) w.put(fmt::format("w{:02}", i), i);
  std::vector<std::int64_t> limits;
  w.api.fault = [&limits](const net::ServerRequest& request) -> std::optional<Fault> {
    const auto at = request.target.find("limit=");
    if (isWatch(request) || at == std::string::npos) return std::nullopt;
    limits.push_back(std::stoll(request.target.substr(at + 6)));
    if (limits.back() <= 10) return std::nullopt;
    return Fault{.status = 200, .body = "[" + times(2'000'001, "0", ",") + "]"};
  };
  w.cache.start(w.tasks);
  CHECK(w.until([&] { return w.cache.find({"ns", "w39"}) != nullptr; }, 10s));
  CHECK(limits.size() == 3 + 6);
  CHECK(limits.back() == 7);
  w.put("later", 1);
  CHECK(w.until([&] { return w.cache.find({"ns", "later"}) != nullptr; }, 1min));
  limits.clear();
  w.api.holdWatches(true);
  w.put("unseen", 1);
  w.api.store.compact();  // all is listed anew
  w.api.holdWatches(false);
  CHECK(w.until([&] { return w.cache.find({"ns", "unseen"}) != nullptr; }, 1min));
  REQUIRE_FALSE(limits.empty());
  CHECK(limits.front() == 500);
}

TEST_CASE("pages without objects and without end are given up", "[kube][watch]") {
  Strange w;
  w.api.fault = [](const net::ServerRequest& request) -> std::optional<Fault> {
    if (isWatch(request)) return std::nullopt;
    return Fault{.status = 200, .body = R"({"items":[],"metadata":{"resourceVersion":"7","continue":"more"}})"};
  };
  w.cache.start(w.tasks);
  w.settle();
  w.advance(10s);
  CHECK(w.api.count(kLists) < 20'000);
  CHECK(w.sink->contains("watching fails"));
  CHECK(w.heals());
}

TEST_CASE("a watch that says nothing, over and over, is ended", "[kube][watch]") {
  Strange w;
  const bool isBlank = GENERATE(true, false);
  const std::string bookmark = R"({"type":"BOOKMARK","object":{"metadata":{}}})";
  w.answerWatches(times(1000, isBlank ? " " : bookmark, "\n") + "\n");
  w.start();
  w.advance(10s);
  CHECK(w.sink->contains(isBlank ? "nothing but blank lines" : "a bookmark without a version"));
  CHECK(w.api.count(kWatches) <= 20);
  CHECK(w.heals());
}

}  // namespace ingot::tests
