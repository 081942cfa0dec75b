// When watches that stand still count as met.
#include "tests/coordinator/seeds/traffic.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::seeds {
namespace {

using namespace std::chrono_literals;

struct HeldWatch {
  explicit HeldWatch(Fault fault, bool isWanted = false) : pair{"data: POST secrets", fault} {
    Fates fates(coverage);
    fates.arm(pair, 1, isWanted);
    traffic.begin(std::move(fates));
    blow = traffic.pass(pair.write, "");
    REQUIRE(blow);
  }
  ~HeldWatch() {
    loop.run(tasks.close());
    traffic.end();
  }

  void tell(const std::string& resource, bool isNews = true) {
    tasks.spawn("watch", traffic.untilTold(resource, isNews));
    loop.clock.advance(0s);
  }
  [[nodiscard]] bool isMet() const { return coverage.hit.contains(pair); }
  [[nodiscard]] bool strikesAgain() { return traffic.pass(pair.write, "") != nullptr; }

  Loop loop;
  Pair pair;
  Coverage coverage;
  Traffic traffic{loop};
  std::shared_ptr<Blow> blow;
  base::TaskGroup tasks{loop.io.get_executor(), base::Log::silent()};
};

}  // namespace

TEST_CASE("a cache is stale once news has been late for it, and watches stand still again until then", "[seeds]") {
  HeldWatch watch(Fault::staleBefore);
  watch.traffic.holdBack("secrets", watch.blow);
  CHECK(watch.traffic.isHoldingBack());
  SECTION("news that is late") {
    watch.tell("secrets");
    CHECK_FALSE(watch.isMet());
    CHECK(watch.tasks.running() == 1);
    watch.loop.clock.advance(2min);
    CHECK(watch.isMet());
    CHECK(watch.tasks.running() == 0);
    CHECK_FALSE(watch.strikesAgain());
  }
  SECTION("no news") {
    watch.loop.clock.advance(2min);
    CHECK_FALSE(watch.isMet());
    CHECK(watch.strikesAgain());
  }
  SECTION("a bookmark") {
    watch.tell("secrets", false);
    watch.loop.clock.advance(2min);
    CHECK_FALSE(watch.isMet());
    CHECK(watch.strikesAgain());
  }
  SECTION("news of another kind") {
    watch.tell("machines");
    CHECK(watch.tasks.running() == 0);
    watch.loop.clock.advance(2min);
    CHECK_FALSE(watch.isMet());
  }
  SECTION("a process that dies before it hears") {
    watch.tell("secrets");
    watch.traffic.die();
    watch.traffic.revive();
    watch.loop.clock.advance(2min);
    CHECK_FALSE(watch.isMet());
    CHECK(watch.strikesAgain());
  }
  CHECK_FALSE(watch.traffic.isHoldingBack());
}

TEST_CASE("the kind that is stale after a write is the next one that has news, if a seed is there for it", "[seeds]") {
  HeldWatch watch(Fault::staleAfter, true);
  watch.traffic.holdBackAnother("secrets", watch.blow);
  watch.tell("secrets");
  watch.tell("events");
  CHECK(watch.tasks.running() == 0);
  watch.tell("metal3machinetemplates");
  watch.tell("machines");
  CHECK(watch.tasks.running() == 1);
  watch.loop.clock.advance(2min);
  CHECK(watch.isMet());
}

}  // namespace ingot::tests::seeds
