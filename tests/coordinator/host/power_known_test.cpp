// Power is called known only while somebody looks at it.
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/host/bench.hpp"
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;
using host::Working;

const kube::Condition& powerOf(const api::BareMetalHost& host) {
  return *kube::findCondition(host.status.conditions, "PowerStateKnown");
}

TEST_CASE("a host that does not get as far as its power does not call it known", "[host][power]") {
  Bench b(aHost(State::available).online().poweredOn());
  b.script.on = true;
  b.pass();
  REQUIRE(powerOf(b.it).status == "True");
  b.it.spec.image = api::Image{.url = "u", .checksum = "c"};
  std::string why;
  SECTION("its config Secret is missing") {
    b.it.spec.userData = api::SecretReference{.name = "no"};
    why = "userData secret metal/no does not exist";
  }
  SECTION("its image has failed too often") {
    b.it.status.provisioningFailCount = 5;
    b.it.status.lastAttemptedImage = b.it.spec.image;
    why = "retry limit (5) reached";
  }
  SECTION("it waits for a slot") {
    b.script.capacity = false;
    why = "the host waits for a slot";
  }
  SECTION("its record is locked") {
    b.script.answer("register", Working{.after = 3s, .obstacle = "the node is locked"});
    why = "the node is locked";
  }
  b.pass();
  CHECK(powerOf(b.it).status == "Unknown");
  CHECK_THAT(powerOf(b.it).message, Catch::Contains(why));
  CHECK(b.it.status.poweredOn);
}

TEST_CASE("a power error does not make the power unknown: it has been read", "[host][power]") {
  Bench b(aHost(State::provisioned).online().image("u").deployed("u"));
  b.script.answer("powerOn", host::Refused{"no input power"});
  b.pass();
  CHECK(b.failed());
  CHECK(powerOf(b.it).status == "True");
}

TEST_CASE("passes that fail for longer than a moment, or only wait, leave the power unknown until one reads it",
          "[host][power]") {
  World w;
  w.create(aHost(State::none).online().image("http://i/a"));
  REQUIRE(w.reaches("provisioned"));
  w.settle(5s);
  REQUIRE(powerOf(w.get()).status == "True");
  SECTION("they fail") { w.script.throws["register"] = "HTTP 500"; }
  SECTION("they wait") {
    for (int i = 0; i < 1000; ++i) w.script.answer("register", Working{3s});
  }
  w.settle(6min);
  CHECK(powerOf(w.get()).status == "Unknown");
  CHECK(w.get().status.poweredOn);
  w.script.throws.clear();
  w.script.answers.clear();
  w.settle(10min);
  CHECK(powerOf(w.get()).status == "True");
  CHECK(w.get().status.errorMessage.empty());
}

}  // namespace
}  // namespace ingot::tests
