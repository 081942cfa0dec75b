// A list whose snapshot the server forgets between two pages is begun anew, in pages again.
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

constexpr std::string_view widgets = "GET /apis/test.ingot.dev/v1/widgets?limit=1";

// A server whose lists have three pages. The first `times` continued pages are answered with 410 and the token that a
// server offers for the rest, which would lead to another version.
struct Expiring : Cluster {
  int left;
  explicit Expiring(int times) : left(times) {
    for (const char* name : {"a", "b", "c"}) put(name, 1);
    api.fault = [this](const net::ServerRequest& request) -> std::optional<Fault> {
      if (request.target.find("continue=") == std::string::npos || left == 0) return std::nullopt;
      --left;
      return Fault{.status = 410,
                   .body = R"({"kind":"Status","message":"The provided continue parameter is too old","reason":)"
                           R"("Expired","code":410,"metadata":{"continue":"inconsistent"}})"};
    };
  }
  // Every list was asked for in pages, and none went on with the token of a 410.
  [[nodiscard]] bool inPages() const {
    return std::ranges::none_of(api.log, [](const std::string& line) {
      const bool lists = line.starts_with("GET /apis/test.ingot.dev/v1/widgets") && !line.contains("watch=true");
      return (lists && !line.contains("limit=1")) || line.contains("inconsistent");
    });
  }
};

struct ExpiringCache : Expiring {
  kube::Cache<Widget> cache{runtime, client->api(), {.watcher = {.pageSize = 1}}};
  Told told{cache};
  using Expiring::Expiring;
  ~ExpiringCache() { run(tasks.close()); }
};

TEST_CASE("a list that expires between two pages starts over and tells nothing of the first try", "[kube][cache]") {
  ExpiringCache w(0);
  w.api.betweenPages = [&, done = false]() mutable {
    if (!std::exchange(done, true)) w.erase("a");
  };
  w.cache.start(w.tasks);
  w.run(w.cache.synced());
  CHECK(w.told.take() == Lines{"+b", "+c"});
  CHECK(w.inPages());
}

TEST_CASE("a cache whose pages expire again and again is filled in pages all the same", "[kube][cache]") {
  ExpiringCache w(5);
  w.cache.start(w.tasks);
  w.run(w.cache.synced());
  CHECK(w.told.take() == Lines{"+a", "+b", "+c"});
  CHECK(w.inPages());
}

TEST_CASE("pages that always expire are asked for in growing pauses, which is told", "[kube][cache]") {
  ExpiringCache w(-1);
  w.cache.start(w.tasks);
  w.advance(10min);
  CHECK_FALSE(w.cache.isSynced());
  CHECK(w.cache.size() == 0);
  CHECK(w.api.count(widgets) > 20);
  CHECK(w.api.count(widgets) < 140);  // two for each try
  CHECK(std::ranges::any_of(w.sink->lines(), [](const auto& line) { return line.contains("is too old"); }));
  CHECK(w.inPages());
  w.left = 0;
  w.run(w.cache.synced());
  CHECK(w.cache.size() == 3);
}

TEST_CASE("a list of the client's whose pages expire is begun anew some times, then it fails", "[kube][client]") {
  Expiring w(0);
  SECTION("twice") {
    w.left = 2;
    CHECK(w.run(w.client->list<Widget>({.pageSize = 1})).size() == 3);
  }
  SECTION("always") {
    w.left = -1;
    const auto begun = w.loop.clock.now();
    try {
      static_cast<void>(w.run(w.client->list<Widget>({.pageSize = 1})));
      FAIL("it ended");
    } catch (const kube::Error& error) {
      CHECK(error.code() == kube::Error::Code::gone);
    }
    CHECK(w.api.count(widgets) == 8);
    CHECK(w.loop.clock.now() - begun >= 500ms);
  }
  CHECK(w.inPages());
}

}  // namespace
}  // namespace ingot::tests
