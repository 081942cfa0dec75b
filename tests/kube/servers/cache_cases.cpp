#include "tests/kube/servers/server.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::Session;
using tests::Widget;
using Changes = std::vector<std::string>;

namespace {

struct WatchedOnServer : Session {
  kube::Cache<Widget> cache;
  Changes told;  // "+a", "~a", "-a"
  kube::Subscription subscription;

  explicit WatchedOnServer(const std::function<void(kube::CacheOptions&)>& adjust = {})
      : cache(runtime, client->api(), options(adjust)) {
    subscription = cache.listen([this](const kube::Cache<Widget>::Change& c) {
      told.push_back((!c.before ? "+" : c.after ? "~" : "-") + c.key.name);
    });
  }
  ~WatchedOnServer() { close(); }
  kube::CacheOptions options(const std::function<void(kube::CacheOptions&)>& adjust) {
    kube::CacheOptions out = watching();
    if (adjust) adjust(out);
    return out;
  }

  void start() {
    cache.start(tasks);
    run(cache.synced());
  }
  // What was told once that many lines have come; more would show as well.
  Changes take(std::size_t lines) {
    CHECK(until([&] { return told.size() >= lines; }));
    return std::exchange(told, {});
  }
  [[nodiscard]] std::int64_t sizeOf(const std::string& name) const {
    const auto found = cache.find(key(name));
    return found ? found->spec.size : -1;
  }
};

}  // namespace

TEST_CASE("on every server: a cache holds what there was and follows what happens", "[runtime][cache]") {
  WatchedOnServer w;
  w.create("a", 1);
  w.start();
  CHECK(w.take(1) == Changes{"+a"});
  w.create("b", 2);
  w.resize("a", 3);
  CHECK(w.take(2) == Changes{"+b", "~a"});
  CHECK(w.sizeOf("a") == 3);
  w.erase("a");
  CHECK(w.take(1) == Changes{"-a"});
  CHECK(w.cache.size() == 1);
}

TEST_CASE("on every server: a broken watch resumes where it was, telling nothing twice", "[runtime][cache][watch]") {
  WatchedOnServer w;
  w.create("a", 1);
  w.start();
  w.take(1);
  w.link.holdStreams(true);
  w.resize("a", 2);
  w.erase("a");
  w.link.breakStreams();  // what was on the way is lost
  w.link.holdStreams(false);
  w.create("b", 1);
  CHECK(w.take(3) == Changes{"~a", "-a", "+b"});
  CHECK(w.lists() == 1);
}

TEST_CASE("on every server: a client that was away for long resumes too", "[runtime][cache][watch]") {
  WatchedOnServer w;
  w.create("a", 1);
  w.start();
  w.take(1);
  w.link.cut(true);
  w.erase("a");
  w.create("a", 2);
  w.create("b", 2);
  CHECK(w.until([&, before = w.link.log.size()] { return w.link.log.size() >= before + 2; }));  // it tries
  CHECK(w.told.empty());
  w.link.cut(false);
  CHECK(w.take(3) == Changes{"-a", "+a", "+b"});
  CHECK(w.lists() == 1);
}

TEST_CASE("on every server: after 410 a list tells each delete of the gap once", "[runtime][cache][watch]") {
  WatchedOnServer w;
  for (const char* name : {"a", "b", "c"}) w.create(name, 1);
  w.start();
  w.take(3);
  w.link.cut(true);
  w.erase("a");
  w.erase("b");
  w.create("b", 5);  // deleted and made anew: another object
  w.create("d", 1);
  w.server->forgetHistory();
  w.link.cut(false);
  CHECK(w.take(4) == Changes{"-a", "-b", "+b", "+d"});
  CHECK(w.lists() >= 2);  // a server that has only just started may have refused one
  w.erase("c");
  CHECK(w.take(1) == Changes{"-c"});
  CHECK(w.cache.size() == 2);
}

TEST_CASE("on every server: a list in pages is the same list", "[runtime][cache]") {
  WatchedOnServer w([](kube::CacheOptions& o) { o.watcher.pageSize = 2; });
  for (const char* name : {"a", "b", "c", "d", "e"}) w.create(name, 1);
  w.start();
  CHECK(w.take(5) == Changes{"+a", "+b", "+c", "+d", "+e"});
  CHECK(w.lists() == 3);
}

TEST_CASE("on every server: the cache knows when it has seen our own write", "[runtime][cache][own]") {
  WatchedOnServer w;
  w.create("a", 1);
  w.start();
  w.link.holdStreams(true);
  kube::Draft<Widget> draft(w.cache.find(w.key("a")));
  draft->spec.size = 2;
  CHECK(w.run(kube::save(*w.client, draft, &w.cache)) == kube::Saved::written);
  CHECK_FALSE(w.cache.hasSeenOwnWrites(w.key("a")));
  w.link.holdStreams(false);
  CHECK(w.until([&] { return w.cache.hasSeenOwnWrites(w.key("a")); }));
  CHECK(w.sizeOf("a") == 2);
}

TEST_CASE("on every server: a watch that its time ended goes on from what bookmarks told", "[runtime][cache][watch]") {
  WatchedOnServer w([](kube::CacheOptions& o) { o.watcher.shortestWatch = 2s; });
  const Widget a = w.create("a", 1);
  w.start();
  w.take(1);
  const std::string opened = "GET " + w.path() + "?watch";
  CHECK(w.until([&] { return w.link.count(opened) >= 3; }));
  w.resize("a", 2);
  CHECK(w.take(1) == Changes{"~a"});
  CHECK(w.lists() == 1);
}
