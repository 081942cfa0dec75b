// A list of ten thousand objects keeps nobody else from the loop, and shows as a whole.
#include "base/yield.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

// A number that counts how often one was read.
struct Counted {
  static inline int decoded = 0;
  std::int64_t value = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};

}  // namespace
}  // namespace ingot::tests

template <>
struct ingot::json::Codec<ingot::tests::Counted> {
  static void decode(const Value& v, tests::Counted& out, Decoding& how) {
    ++tests::Counted::decoded;
    Codec<std::int64_t>::decode(v, out.value, how);
  }
  static Value encode(const tests::Counted& number) { return Codec<std::int64_t>::encode(number.value); }
  static bool empty(const tests::Counted&) { return false; }
  static bool equal(const tests::Counted& a, const tests::Counted& b) { return a == b; }
  static void schema(Object& into) { into["type"] = "integer"; }
};

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

struct GrainSpec {
  Counted size;
  static void describe(auto& v) { v.field("size", &GrainSpec::size); }
};

// A Widget, seen by somebody who counts.
struct Grain {
  kube::ObjectMeta metadata;
  GrainSpec spec;
  static constexpr kube::KindInfo info = Widget::info;
  static void describe(auto& v) {
    v.field("metadata", &Grain::metadata);
    v.field("spec", &Grain::spec);
  }
};

constexpr int many = 10'000;

std::string nameOf(int number) { return fmt::format("w{:05}", number); }

struct Granary : Cluster {
  kube::Cache<Grain> cache{runtime, client->api(), {.packAfter = 10s}};
  int turns = 0, mostInATurn = 0, halfSeen = 0;
  bool told = false;
  kube::Subscription subscription;

  Granary() {
    for (int i = 0; i < many; ++i) create(nameOf(i), 1);
    // Measures each turn of the loop from the first request of a list until its changes are told.
    api.fault = [this](const net::ServerRequest& request) -> std::optional<Fault> {
      const bool begins =
          request.target.find("limit=") != std::string::npos && request.target.find("continue=") == std::string::npos;
      if (begins) tasks.spawn("turns", lookEachTurn());
      return std::nullopt;
    };
    subscription = cache.listen([this](const auto&) { told = true; });
  }
  ~Granary() { run(tasks.close()); }

  void create(const std::string& name, std::int64_t size) {
    static_cast<void>(api.store.create("widgets", "ns", kube::encodeObject(widget(name, size))));
  }
  base::Task<void> lookEachTurn() {
    told = false;
    turns = mostInATurn = 0;
    int before = Counted::decoded;
    for (int i = 0; i < 1'000'000 && !told; ++i) {
      co_await base::yieldToLoop();
      ++turns;
      mostInATurn = std::max(mostInATurn, Counted::decoded - before);
      look();
      before = Counted::decoded;  // what looking costs is not the list's
    }
  }
  // Checks that the first and the last change of the gap show together or not at all.
  void look() {
    if (cache.size() == 0) return;
    const auto first = cache.find({"ns", nameOf(1)}), last = cache.find({"ns", nameOf(many - 1)});
    const bool gone = !cache.find({"ns", nameOf(0)});
    if (!first || !last || first->spec.size != last->spec.size || gone != (first->spec.size.value == 2)) ++halfSeen;
  }
  void start() {
    cache.start(tasks);
    run(cache.synced());
    advance(1min);  // all of it is packed
  }
};

}  // namespace

TEST_CASE("a first list of ten thousand objects is read in pieces", "[kube][cache][pieces]") {
  Granary g;
  g.start();
  CHECK(g.cache.size() == many);
  CHECK(g.turns >= many / 100);
  CHECK(g.mostInATurn <= 100);
  CHECK(g.halfSeen == 0);
}

TEST_CASE("ten thousand packed objects are listed again in pieces, and show the list as a whole",
          "[kube][cache][pieces]") {
  Granary g;
  g.start();
  g.api.holdWatches(true);
  g.erase(nameOf(0));
  for (const int changed : {1, many / 2, many - 1}) g.put(nameOf(changed), 2);
  g.api.store.compact();
  g.api.holdWatches(false);
  g.advance(1min);
  REQUIRE(g.told);
  CHECK(g.cache.size() == many - 1);
  CHECK(g.cache.find({"ns", nameOf(many / 2)})->spec.size.value == 2);
  CHECK(g.turns >= many / 100);
  CHECK(g.mostInATurn <= 100);
  CHECK(g.halfSeen == 0);
}

}  // namespace ingot::tests
