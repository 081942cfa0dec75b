#include "kube/runtime/index.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using tests::Cluster;
using tests::Widget;

namespace {

// Widgets by their size; those of size 0 go with nothing.
struct Indexed : Cluster {
  kube::Cache<Widget> cache{runtime, client->api()};
  kube::Index<Widget, std::int64_t> bySize{cache, [](const Widget& widget) {
                                             return widget.spec.size == 0 ? std::vector<std::int64_t>{}
                                                                          : std::vector{widget.spec.size};
                                           }};

  Indexed() {
    cache.start(tasks);
    settle();
  }
  ~Indexed() { run(tasks.close()); }

  std::vector<std::string> names(std::int64_t size) {
    settle();
    std::vector<std::string> out;
    for (const auto& key : bySize.find(size)) out.push_back(key.name);
    return out;
  }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an index finds the objects that go with a key, and follows them", "[kube][index]") {
  Indexed w;
  w.put("a", 1);
  w.put("b", 1);
  w.put("c", 0);
  CHECK(w.names(1) == Names{"a", "b"});
  CHECK(w.names(0).empty());
  w.put("a", 2);
  CHECK(w.names(1) == Names{"b"});
  CHECK(w.names(2) == Names{"a"});
  w.erase("b");
  CHECK(w.names(1).empty());
}

TEST_CASE("an index that is made late knows what the cache holds already", "[kube][index]") {
  Indexed w;
  w.put("a", 1);
  w.settle();
  const kube::Index<Widget> late{w.cache, [](const Widget&) { return std::vector{kube::ObjectKey{"", "all"}}; }};
  CHECK(late.find({"", "all"}).size() == 1);
}

TEST_CASE("an object that is deleted and made anew is found where it is now", "[kube][index]") {
  Indexed w;
  const bool listedAgain = GENERATE(false, true);
  w.put("a", 1);
  w.settle();
  w.api.holdWatches(true);
  w.erase("a");
  w.put("a", 2);
  if (listedAgain) {
    w.api.store.compact();
    w.api.breakWatches();
  }
  w.api.holdWatches(false);
  w.advance(std::chrono::minutes(1));
  CHECK(w.names(1).empty());
  CHECK(w.names(2) == Names{"a"});
}
