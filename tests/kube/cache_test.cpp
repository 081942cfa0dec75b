#include "kube/runtime/own_writes.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::Cluster;
using tests::Fault;
using tests::Told;
using tests::Widget;
using Lines = std::vector<std::string>;

namespace {

struct Watched : Cluster {
  kube::Cache<Widget> cache;
  Told told{cache};

  explicit Watched(kube::CacheOptions options = {}) : cache(runtime, client->api(), std::move(options)) {}
  ~Watched() { run(tasks.close()); }

  void start() {
    cache.start(tasks);
    run(cache.synced());
  }
  // It does not fit its kind any more.
  void spoil(const std::string& name) {
    static_cast<void>(api.store.patch({"widgets", "ns", name}, json::parse(R"({"spec":{"size":"big"}})"), false));
    api.changed();
  }
  [[nodiscard]] std::int64_t sizeOf(const std::string& name) const {
    const auto found = cache.find({"ns", name});
    return found ? found->spec.size : -1;
  }
};

}  // namespace

TEST_CASE("a cache holds what there was and follows what happens", "[kube][cache]") {
  Watched w;
  w.put("a", 1);
  w.start();
  CHECK(w.told.take() == Lines{"+a"});
  w.put("b", 2);
  w.put("a", 3);
  w.settle();
  CHECK(w.told.take() == Lines{"+b", "~a"});
  CHECK(w.sizeOf("a") == 3);
  w.erase("a");
  w.settle();
  CHECK(w.told.take() == Lines{"-a"});
  CHECK(w.cache.size() == 1);
  CHECK(w.cache.all("ns").size() == 1);
  CHECK(w.cache.all("elsewhere").empty());
}

TEST_CASE("a broken watch resumes where it was, telling nothing twice", "[kube][cache][watch]") {
  const bool withinALine = GENERATE(false, true);
  Watched w;
  w.put("a", 1);
  w.start();
  w.told.take();
  w.api.holdWatches(true);
  w.put("a", 2);
  w.erase("a");
  w.api.breakWatches(withinALine);
  w.settle();
  w.put("b", 1);
  w.api.holdWatches(false);
  w.advance(1min);
  CHECK(w.told.take() == Lines{"~a", "-a", "+b"});
  CHECK(w.api.count("GET /apis/test.ingot.dev/v1/widgets?limit") == 1);
}

TEST_CASE("after 410 a list tells each delete of the gap once", "[kube][cache][watch]") {
  Watched w;
  for (const char* name : {"a", "b", "c"}) w.put(name, 1);
  w.start();
  w.told.take();
  w.api.holdWatches(true);
  w.erase("a");  // gone
  w.erase("b");
  w.put("b", 5);  // deleted and made anew: another object
  w.put("d", 1);  // new
  w.api.store.compact();
  w.api.holdWatches(false);
  w.advance(1min);
  CHECK(w.told.take() == Lines{"-a", "-b", "+b", "+d"});
  w.erase("c");
  w.settle();
  CHECK(w.told.take() == Lines{"-c"});
}

TEST_CASE("a delete while the list is on its way is not lost", "[kube][cache][watch]") {
  Watched w;
  w.put("a", 1);
  w.put("b", 1);
  w.api.listDelay = 5s;
  w.cache.start(w.tasks);
  w.advance(1s);
  w.erase("a");
  w.run(w.cache.synced());
  w.advance(1s);
  CHECK(w.told.take() == Lines{"+a", "+b", "-a"});
}

TEST_CASE("a cache of a hundred namespaces watches them all", "[kube][cache]") {
  std::vector<std::string> namespaces;
  namespaces.reserve(100);
  for (int i = 0; i < 100; ++i) namespaces.push_back(fmt::format("ns{}", i));
  Watched w({.namespaces = namespaces});
  w.start();
  w.settle();
  CHECK(w.api.watches() == 100);
}

TEST_CASE("a server that is away is asked again with growing pauses, and heals", "[kube][cache][watch]") {
  Watched w;
  w.put("a", 1);
  w.start();
  w.told.take();
  w.api.fault = [](const net::ServerRequest&) { return Fault{.status = 503}; };
  w.api.breakWatches();
  const auto before = w.api.log.size();
  w.advance(5min);
  CHECK(w.api.log.size() - before < 100);
  CHECK(w.cache.size() == 1);
  w.api.fault = {};
  w.put("a", 2);
  CHECK(w.until([&] { return w.sizeOf("a") == 2; }, 2min));
  CHECK(w.told.take() == Lines{"~a"});
}

TEST_CASE("bookmarks move the place to resume from", "[kube][cache][watch]") {
  Watched w;
  w.put("a", 1);
  w.start();
  static_cast<void>(w.api.store.create("gadgets", "ns", json::parse(R"({"metadata":{"name":"x"}})")));
  w.api.sendBookmarks();
  w.settle();
  w.api.store.compact();  // our own last event is forgotten, the bookmark's version is not
  w.api.breakWatches();
  w.advance(1min);
  CHECK(w.api.count("GET /apis/test.ingot.dev/v1/widgets?limit") == 1);
}

TEST_CASE("a watch that is silent for too long is not trusted", "[kube][cache][watch]") {
  Watched w;
  w.start();
  w.api.holdWatches(true);
  w.put("a", 1);
  CHECK(w.until([&] { return w.sizeOf("a") == 1; }, 10min));
}

TEST_CASE("a server restored from a backup is listed again", "[kube][cache][watch]") {
  Watched w;
  w.put("a", 1);
  w.start();
  w.api.store.rewindTo(50);
  w.put("a", 9);
  w.api.sendBookmarks();
  CHECK(w.until([&] { return w.sizeOf("a") == 9; }, 10min));
}

TEST_CASE("an object that does not fit its kind keeps its last good state", "[kube][cache]") {
  Watched w;
  w.put("a", 1);
  w.start();
  w.told.take();
  w.spoil("a");
  w.settle();
  CHECK(w.sizeOf("a") == 1);
  CHECK(w.sink->contains("spec.size: expected"));
  CHECK(w.cache.isUnreadable({"ns", "a"}));
  w.put("a", 3);
  w.settle();
  CHECK(w.sizeOf("a") == 3);
  CHECK(w.cache.unreadable().empty());
}

TEST_CASE("an object that never fitted its kind is not shown, and not called gone", "[kube][cache]") {
  const bool fromList = GENERATE(true, false);
  Watched w;
  if (!fromList) w.start();
  w.put("a", 1);
  w.spoil("a");
  if (fromList) {
    w.start();
    CHECK_FALSE(w.cache.find({"ns", "a"}));
  }
  w.settle();
  CHECK(w.cache.isUnreadable({"ns", "a"}));
  CHECK(w.cache.anyUnreadableIn("ns"));
  CHECK_FALSE(w.cache.anyUnreadableIn("n"));
  SECTION("it is mended") { w.put("a", 2); }
  SECTION("it is deleted") { w.erase("a"); }
  SECTION("it goes while nobody watches") {
    w.api.holdWatches(true);
    w.erase("a");
    w.api.store.compact();
    w.api.holdWatches(false);
    w.advance(1min);
  }
  w.settle();
  CHECK(w.cache.unreadable().empty());
}

TEST_CASE("an unreadable object is not shown as an earlier one of its name was", "[kube][cache]") {
  Watched w;
  w.put("a", 1);
  w.start();
  w.told.take();
  w.api.holdWatches(true);
  w.erase("a");
  w.put("a", 2);
  w.spoil("a");
  const bool forgotten = GENERATE(true, false);
  if (forgotten) w.api.store.compact();
  w.api.holdWatches(false);
  w.advance(1min);
  if (forgotten) CHECK(w.told.take() == Lines{"-a"});
  if (forgotten) CHECK_FALSE(w.cache.find({"ns", "a"}));
  CHECK(w.cache.isUnreadable({"ns", "a"}));
}

TEST_CASE("what the API server itself cannot read is there until it is shown again", "[kube][cache]") {
  Watched w({.unreadable = {{"ns", "a"}, {"ns", "b"}}});
  w.put("a", 1);
  CHECK(w.cache.isUnreadable({"ns", "a"}));
  w.start();
  CHECK(w.cache.unreadable() == std::set<kube::ObjectKey>{{"ns", "b"}});
  w.put("b", 1);
  w.settle();
  CHECK(w.cache.unreadable().empty());
}

TEST_CASE("a cache of some namespaces sees no others", "[kube][cache]") {
  Watched w({.namespaces = {"ns", "other"}});
  w.put("a", 1);
  static_cast<void>(w.api.store.create("widgets", "third", json::parse(R"({"metadata":{"name":"x"}})")));
  static_cast<void>(w.api.store.create("widgets", "other", json::parse(R"({"metadata":{"name":"y"}})")));
  w.start();
  CHECK(w.cache.size() == 2);
  w.api.holdWatches(true);
  w.erase("a");
  w.api.store.compact();
  w.api.holdWatches(false);
  w.advance(1min);
  CHECK(w.cache.size() == 1);
  CHECK(w.cache.find({"other", "y"}));
}

TEST_CASE("own writes are seen up to a version, or as the very version", "[kube][cache][own]") {
  kube::OwnWrites writes;
  const auto named = [](std::string name) { return kube::ObjectKey{"ns", std::move(name)}; };
  writes.add(named("a"), "9");
  writes.add(named("b"), "10");
  writes.add(named("c"), "100");
  writes.add(named("d"), "opaque");
  CHECK(writes.takeUpTo("8").empty());
  CHECK(writes.takeUpTo("11") == std::vector{named("a"), named("b")});  // as numbers
  writes.add(named("c"), "12");                                         // the last write counts
  CHECK(writes.takeUpTo("12") == std::vector{named("c")});
  CHECK_FALSE(writes.contains(named("c")));
  CHECK(writes.takeUpTo("1000").empty());
  const auto held = [](std::string_view version) { return [version](const kube::ObjectKey&) { return version; }; };
  CHECK(writes.takeHeld(held("other")).empty());
  CHECK(writes.takeHeld(held("opaque")) == std::vector{named("d")});
  CHECK_FALSE(writes.contains(named("d")));
}

TEST_CASE("a look for own writes asks for no key whose version has an order, however many are on their way",
          "[kube][cache][own]") {
  kube::OwnWrites writes;
  for (int i = 0; i < 1000; ++i) writes.add({"ns", fmt::format("numbered-{}", i)}, std::to_string(1000 + i));
  writes.add({"ns", "opaque"}, "opaque");
  int asked = 0;
  const auto held = [&](const kube::ObjectKey&) -> std::string_view {
    ++asked;
    return "other";
  };
  for (int look = 0; look < 10; ++look) CHECK(writes.takeHeld(held).empty());
  CHECK(asked == 10);  // for the one that nothing but its very version tells
}

TEST_CASE("the cache knows when it has seen our own write", "[kube][cache][own]") {
  Watched w;
  w.put("a", 1);
  w.start();
  const kube::ObjectKey a{"ns", "a"};
  w.api.holdWatches(true);
  w.cache.expect(a, json::textAt(w.put("a", 2), {"metadata", "resourceVersion"}));
  w.settle();
  CHECK_FALSE(w.cache.hasSeenOwnWrites(a));
  w.api.holdWatches(false);
  w.settle();
  CHECK(w.cache.hasSeenOwnWrites(a));
  w.cache.expect(a, "1");  // a write that changed nothing is answered with an old version
  CHECK(w.cache.hasSeenOwnWrites(a));
}

TEST_CASE("a deletion answers the wait for an own write", "[kube][cache][own]") {
  Watched w;
  w.put("a", 1);
  w.start();
  const kube::ObjectKey a{"ns", "a"};
  w.cache.expect(a, "no-number");
  CHECK_FALSE(w.cache.hasSeenOwnWrites(a));
  w.erase("a");
  w.settle();
  CHECK(w.cache.hasSeenOwnWrites(a));
}

TEST_CASE("whatever happens to watches and writes, the cache ends equal to the server", "[kube][cache][property]") {
  const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{41}));
  CAPTURE(seed);
  Watched w;
  const auto random = base::seededRandom(seed);
  const auto name = [&] { return std::string(1, static_cast<char>('a' + random->below(6))); };
  std::map<std::string, std::string> alive;  // what the changes told add up to
  const auto listening = w.cache.listen([&](const kube::Cache<Widget>::Change& c) {
    CHECK((c.before != nullptr) == alive.contains(c.key.name));
    if (c.before) CHECK(alive[c.key.name] == c.before->metadata.resourceVersion);
    if (c.after)
      alive[c.key.name] = c.after->metadata.resourceVersion;
    else
      alive.erase(c.key.name);
  });
  w.cache.start(w.tasks);
  w.api.pageLimit = 2;
  for (int step = 0; step < 150; ++step) {
    switch (random->below(9)) {
      case 0:
      case 1:
      case 2: w.put(name(), static_cast<std::int64_t>(random->below(4))); break;
      case 3: try { w.erase(name());
        } catch (const tests::ApiFailure&) {
        }
        break;
      case 4: w.api.breakWatches(random->below(2) == 0); break;
      case 5: w.api.store.compact(); break;
      case 6: w.api.holdWatches(random->below(2) == 0); break;
      case 7: {
        const auto status = random->below(4) == 0 ? 500 : 200;
        w.api.fault =
            status == 200 ? decltype(w.api.fault){} : [](const net::ServerRequest&) { return Fault{.status = 500}; };
        break;
      }
      default: w.advance(std::chrono::milliseconds(random->below(3000))); break;
    }
    if (random->below(2) == 0) w.settle();
  }
  w.api.fault = {};
  w.api.holdWatches(false);
  w.advance(10min);
  std::map<std::string, std::string> server, cached;
  for (const auto& object : w.api.store.list("widgets", ""))
    server[json::textAt(object, {"metadata", "name"})] = json::textAt(object, {"metadata", "resourceVersion"});
  for (const auto& object : w.cache.all()) cached[object->metadata.name] = object->metadata.resourceVersion;
  CHECK(cached == server);
  CHECK(alive == server);
}
