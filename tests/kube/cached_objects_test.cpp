#include "kube/runtime/cached_objects.hpp"

#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

#include <memory_resource>

using namespace ingot;
using namespace std::chrono_literals;
using kube::CachedObjects;
using tests::Cluster;
using tests::Widget;

namespace {

std::string textOf(int number) {
  return fmt::format("the text of number {}, long enough to be worth packing and nearly the same as {}", number,
                     "that of every other number, so that one dictionary fits them all and they become small");
}

// How much of what was allocated has not been given back.
struct Meter final : std::pmr::memory_resource {
  std::size_t bytes = 0;

  void* do_allocate(std::size_t size, std::size_t alignment) override {
    bytes += size;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* at, std::size_t size, std::size_t alignment) override {
    bytes -= size;
    std::pmr::new_delete_resource()->deallocate(at, size, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
template <class T>
using Metered = std::pmr::polymorphic_allocator<T>;

// Objects that are their own text.
struct Texts : tests::Loop {
  int decoded = 0;
  CachedObjects objects{clock,
                        {[](const void* object) { return std::optional(*static_cast<const std::string*>(object)); },
                         [this](std::string_view text) {
                           ++decoded;
                           return std::make_shared<const std::string>(text);
                         }}};

  explicit Texts(int count = 100) {
    for (int i = 0; i < count; ++i) objects.put(key(i), std::make_shared<const std::string>(textOf(i)));
  }
  static kube::ObjectKey key(int i) { return {i % 2 == 0 ? "even" : "odd", fmt::format("{:03}", i)}; }
  [[nodiscard]] std::string read(int i) const {
    const auto found = objects.find(key(i));
    return found ? *static_cast<const std::string*>(found.get()) : "";
  }
  void packAll() {
    for (int round = 0; round < 2; ++round) {  // the first ones are passed over until a dictionary is learnt
      clock.advance(10s);
      objects.packUntouchedSince(clock.now(), 1000);
    }
  }
};

}  // namespace

TEST_CASE("a packed object reads as before, and is decoded once", "[kube][cache][packed]") {
  Texts t;
  t.packAll();
  CHECK(t.objects.packed() == 100);
  CHECK(t.objects.size() == 100);
  CHECK(t.read(7) == textOf(7));
  CHECK(t.read(7) == textOf(7));
  CHECK(t.decoded == 1);
  CHECK(t.objects.packed() == 99);
  CHECK(t.read(100).empty());
}

TEST_CASE("a snapshot that somebody holds is the one that everybody gets", "[kube][cache][packed]") {
  Texts t;
  auto held = t.objects.find(Texts::key(3));
  t.packAll();
  CHECK(t.objects.packed() == 99);
  CHECK(t.objects.find(Texts::key(3)) == held);
  CHECK(t.decoded == 0);
  held.reset();
  t.packAll();
  CHECK(t.objects.packed() == 100);
}

TEST_CASE("nothing of the struct is left of a packed object", "[kube][cache][packed]") {
  Meter meter;
  Texts t(99);
  t.objects.put(Texts::key(99), std::allocate_shared<std::string>(Metered<std::string>(&meter), textOf(99)));
  REQUIRE(meter.bytes > 0);
  t.packAll();
  REQUIRE(t.objects.packed() == 100);
  CHECK(meter.bytes == 0);
  CHECK(t.read(99) == textOf(99));
}

TEST_CASE("what was read or changed lately stays as it is", "[kube][cache][packed]") {
  Texts t;
  t.packAll();
  t.clock.advance(10s);
  const auto before = t.clock.now();
  CHECK(t.read(1) == textOf(1));
  const auto last = t.objects.put(Texts::key(2), std::make_shared<const std::string>("new"));
  CHECK(*static_cast<const std::string*>(last.get()) == textOf(2));
  CHECK_FALSE(t.objects.packUntouchedSince(before, 1000));
  CHECK(t.objects.packed() == 98);
  CHECK(t.read(2) == "new");
}

TEST_CASE("packing is done in small portions", "[kube][cache][packed]") {
  Texts t;
  t.packAll();
  for (int i = 0; i < 100; ++i) static_cast<void>(t.read(i));
  t.clock.advance(10s);
  CHECK(t.objects.packUntouchedSince(t.clock.now(), 30));
  CHECK(t.objects.packed() == 30);
}

TEST_CASE("packed objects are dropped, listed and visited like others", "[kube][cache][packed]") {
  Texts t;
  t.packAll();
  const auto last = t.objects.drop(Texts::key(5));
  CHECK(*static_cast<const std::string*>(last.get()) == textOf(5));
  CHECK_FALSE(t.objects.drop(Texts::key(5)));
  CHECK(t.objects.keys("odd").size() == 49);
  CHECK(t.objects.keys("").size() == 99);
  int visited = 0;
  t.objects.each("even", [&](const auto& object) { visited += object ? 1 : 0; });
  CHECK(visited == 50);
}

TEST_CASE("a cache that packs tells of changes as any other", "[kube][cache][packed]") {
  Cluster c;
  kube::Cache<Widget> cache(c.runtime, c.client->api(), {.packAfter = 10s});
  std::vector<std::string> told;
  const auto listening = cache.listen([&](const kube::Cache<Widget>::Change& change) {
    const auto size = [](const auto& widget) { return widget ? std::to_string(widget->spec.size) : "none"; };
    told.push_back(fmt::format("{}: {} to {}", change.key.name, size(change.before), size(change.after)));
  });
  for (int i = 0; i < 40; ++i) c.put(fmt::format("w{}", i), i);
  cache.start(c.tasks);
  c.advance(2min);
  told.clear();
  c.put("w5", 500);
  c.erase("w6");
  c.settle();
  CHECK(told == std::vector<std::string>{"w5: 5 to 500", "w6: 6 to none"});
  CHECK(cache.find({"ns", "w7"})->spec.size == 7);
  CHECK(cache.all("ns").size() == 39);
  c.run(c.tasks.close());
}
