// Kinds that a server does not serve as we know them: what is told, and that none are taken for an empty list.
#include "kube/runtime/served_kinds.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::Cluster;
using tests::Fault;
using tests::Widget;

namespace {

const std::string kGroup = "/apis/" + std::string(Widget::info.group);
const std::string kOurs(Widget::info.version);

// A server that serves widgets in one version at most.
struct Elsewhere : Cluster {
  std::string version;  // "": none
  kube::Cache<Widget> maybe{runtime, client->api(), {.watcher = {.mayBeAbsent = true}}};
  kube::Cache<Widget> needed{runtime, client->api()};
  kube::ServedKinds kinds;

  Elsewhere() {
    kinds.watch({&maybe, &needed});
    api.fault = [this](const net::ServerRequest& request) { return answer(std::string(request.path())); };
  }
  ~Elsewhere() { run(tasks.close()); }

  [[nodiscard]] std::optional<Fault> answer(const std::string& path) const {
    const std::string here = kGroup + "/" + version;
    if (!version.empty() && path == kGroup)
      return Fault{.status = 200, .body = R"({"versions":[{"version":")" + version + R"("}]})"};
    if (!version.empty() && path == here) return Fault{.status = 200, .body = R"({"resources":[{"name":"widgets"}]})"};
    if (version == kOurs && path.starts_with(here)) return std::nullopt;
    return Fault{.status = 404};
  }
};

}  // namespace

TEST_CASE("a kind that is not installed is named, and holds up nobody who can do without", "[kube][kinds]") {
  Elsewhere w;
  w.maybe.start(w.tasks);
  w.settle();
  CHECK(w.maybe.isSynced());
  CHECK(w.kinds.waitedFor().empty());
  CHECK(w.kinds.notInstalled().contains("widgets." + std::string(Widget::info.group) + " " + kOurs));
  CHECK(w.sink->contains(kOurs));
  w.version = kOurs;
  w.advance(31s);
  CHECK(w.kinds.notInstalled().empty());
}

TEST_CASE("a kind that is needed and not installed is waited for", "[kube][kinds]") {
  Elsewhere w;
  w.needed.start(w.tasks);
  w.settle();
  CHECK_FALSE(w.needed.isSynced());
  CHECK(w.kinds.waitedFor().contains("does not serve widgets."));
  w.version = kOurs;
  w.advance(31s);
  CHECK(w.needed.isSynced());
  CHECK(w.kinds.waitedFor().empty());
}

TEST_CASE("a kind that is served in another version is waited for, not taken for none", "[kube][kinds]") {
  Elsewhere w;
  w.version = "v0";
  w.maybe.start(w.tasks);
  w.advance(5min);
  CHECK_FALSE(w.maybe.isSynced());
  CHECK(w.maybe.isUnreadable({"ns", "a"}));
  CHECK(w.maybe.anyUnreadableIn("ns"));
  CHECK(w.kinds.waitedFor().contains("as v0, not as " + kOurs));
  CHECK(w.kinds.notInstalled().empty());
  w.version = kOurs;
  w.put("a", 1);
  w.advance(31s);
  CHECK(w.maybe.size() == 1);
  CHECK_FALSE(w.maybe.isUnreadable({"ns", "a"}));
  CHECK(w.kinds.waitedFor().empty());
}

TEST_CASE("a kind that comes in another version later is not taken for none any more", "[kube][kinds]") {
  Elsewhere w;
  w.maybe.start(w.tasks);
  w.settle();
  REQUIRE_FALSE(w.maybe.isUnreadable({"ns", "a"}));
  w.version = "v0";
  w.advance(31s);
  CHECK(w.maybe.isUnreadable({"ns", "a"}));
  CHECK(w.kinds.waitedFor().contains("as v0"));
}

TEST_CASE("what is not known of a kind is no answer", "[kube][kinds]") {
  Elsewhere w;
  w.api.fault = [](const net::ServerRequest& request) { return Fault{.status = request.path() == kGroup ? 500 : 404}; };
  w.maybe.start(w.tasks);
  w.advance(1min);
  CHECK_FALSE(w.maybe.isSynced());
}

TEST_CASE("a kind that is served no more in our version is named, and what is known of it stays", "[kube][kinds]") {
  Elsewhere w;
  w.version = kOurs;
  w.put("a", 1);
  w.maybe.start(w.tasks);
  w.needed.start(w.tasks);
  w.settle();
  REQUIRE(w.maybe.size() == 1);
  w.version = GENERATE("v0", "");
  w.api.breakWatches();
  w.advance(2min);
  CHECK(w.kinds.waitedFor().contains(w.version.empty() ? "does not serve widgets." : "as v0, not as " + kOurs));
  CHECK(w.kinds.notInstalled().empty());
  for (const auto* cache : {&w.maybe, &w.needed}) {
    CHECK(cache->size() == 1);
    CHECK(cache->isUnreadable({"ns", "a"}));
    CHECK(cache->anyUnreadableIn("ns"));
  }
  const auto named = [&w] {
    return std::ranges::count_if(w.sink->lines(), [](const std::string& line) {
      return line.contains("does not serve a kind that is waited for");
    });
  };
  CHECK(named() == 2);  // once for each cache, however often it was looked for

  w.version = kOurs;
  w.put("b", 1);
  w.advance(31s);
  CHECK(w.kinds.waitedFor().empty());
  CHECK(w.maybe.size() == 2);
  CHECK_FALSE(w.maybe.isUnreadable({"ns", "a"}));
}
