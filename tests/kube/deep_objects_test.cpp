// Objects that are nested deeper than anybody reads: where a schema preserves unknown fields, kube-apiserver takes
// 10,000 levels from whoever may create one.
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using Code = kube::Error::Code;
using Lines = std::vector<std::string>;

constexpr std::string_view kMark = R"("@deep")";  // in what a Widget says that no struct has

struct Deep : Cluster {
  kube::Cache<Widget> cache{runtime, client->api()};
  Told told{cache};

  explicit Deep(std::size_t levels = 10'000) {
    // The object, its spec and the member stand around it.
    const std::size_t inner = levels - 2;
    const std::string value = std::string(inner, '[') + std::string(inner, ']');
    api.rewritten = [value](std::string text) {
      for (auto at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + value.size()))
        text.replace(at, kMark.size(), value);
      return text;
    };
  }
  ~Deep() { run(tasks.close()); }

  void start() {
    cache.start(tasks);
    REQUIRE(until([&] { return cache.isSynced(); }, 1min));
  }
  void putDeep(const std::string& name) {
    put(name, 1);
    deepen(name);
  }
  void deepen(const std::string& name) { set(name, json::Value(std::string_view("@deep"))); }
  void mend(const std::string& name) { set(name, nullptr); }
  [[nodiscard]] bool isUnreadable(const std::string& name) const { return cache.isUnreadable({"ns", name}); }
  [[nodiscard]] bool has(const std::string& name) const { return cache.find({"ns", name}) != nullptr; }

 private:
  void set(const std::string& name, json::Value deep) {
    const FakeStore::Id id{"widgets", "ns", name};
    static_cast<void>(api.store.patch(id, json::Object{{"spec", json::Object{{"deep", std::move(deep)}}}}, false));
    api.changed();
  }
};

}  // namespace

TEST_CASE("of a list one object that is nested too deep is set aside, by name", "[kube][cache]") {
  Deep w(GENERATE(129, 10'000));
  w.put("a", 1);
  w.putDeep("b");
  w.put("c", 3);
  w.start();
  CHECK(w.told.take() == Lines{"+a", "+c"});
  CHECK(w.cache.unreadable() == std::set<kube::ObjectKey>{{"ns", "b"}});
  CHECK(w.cache.anyUnreadableIn("ns"));
  CHECK(w.sink->contains("an object is nested too deep and is not seen"));
  w.put("d", 1);  // the watch goes on
  w.settle();
  CHECK(w.told.take() == Lines{"+d"});
  CHECK(w.api.count("GET /apis/test.ingot.dev/v1/widgets?limit") == 1);
}

TEST_CASE("an object of as many levels as are read is read, in a list and by the watch", "[kube][cache]") {
  Deep w(128);
  w.putDeep("a");
  w.start();
  w.putDeep("b");
  w.settle();
  CHECK(w.cache.unreadable().empty());
  CHECK(w.has("a"));
  CHECK(w.has("b"));
}

TEST_CASE("a list that has nothing but objects that are nested too deep is a list, and the next pages are read",
          "[kube][cache]") {
  Deep w;
  for (int i = 0; i < 1200; ++i) w.putDeep(fmt::format("deep{:04}", i));
  w.put("last", 1);
  w.start();
  CHECK(w.told.take() == Lines{"+last"});
  CHECK(w.cache.unreadable().size() == 1200);
  CHECK(w.api.count("GET /apis/test.ingot.dev/v1/widgets?limit=500") == 3);
}

TEST_CASE("an object that becomes nested too deep is shown as it was, until it is mended or gone", "[kube][watch]") {
  Deep w;
  w.put("a", 1);
  w.start();
  w.told.take();
  w.putDeep("b");
  w.deepen("a");
  w.put("c", 1);
  w.settle();
  CHECK(w.told.take() == Lines{"+b", "+c"});
  CHECK(w.isUnreadable("a"));
  CHECK(w.isUnreadable("b"));
  CHECK(w.has("a"));
  w.mend("a");
  w.erase("b");
  w.settle();
  CHECK(w.told.take() == Lines{"~a", "-b"});
  CHECK(w.cache.unreadable().empty());
  CHECK(w.api.watches() == 1);
  CHECK(w.api.count("GET /apis/test.ingot.dev/v1/widgets?watch") == 1);
}

TEST_CASE("an object that is nested too deep and made anew is another one, whose last state nobody knows",
          "[kube][watch]") {
  Deep w;
  w.put("a", 1);
  w.start();
  w.told.take();
  w.api.holdWatches(true);
  w.erase("a");
  w.putDeep("a");
  w.api.store.compact();  // all is listed anew
  w.api.holdWatches(false);
  REQUIRE(w.until([&] { return w.isUnreadable("a"); }, 1min));
  CHECK_FALSE(w.has("a"));
  CHECK(w.told.take() == Lines{"-a"});
}

TEST_CASE("who lists without saying what to do with objects that are nested too deep gets none", "[kube][client]") {
  Deep w;
  w.put("a", 1);
  w.putDeep("b");
  const auto listing = [&](bool named) {
    return w.run(w.client->api().list(kube::Resource::of(Widget::info), {.nameTooDeep = named}));
  };
  CHECK_THROWS_WITH(listing(false), Catch::Contains("ns/b, which is nested more than 128 levels deep"));
  const kube::Page page = listing(true);
  CHECK(page.items.size() == 1);
  REQUIRE(page.tooDeep.size() == 1);
  CHECK(json::textAt(page.tooDeep.front(), {"metadata", "name"}) == "b");
}

}  // namespace ingot::tests
