// A host that `clusterctl move` takes elsewhere is left alone here, whatever becomes of the move (spec/cluster-api.md
// §1.13).
#include "api/bmh/names.hpp"
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;

// As clusterctl: in the place of all annotations.
constexpr const char* kDeleteForMove = R"({"metadata":{"annotations":{
    "baremetalhost.metal3.io/paused":null, "reboot.metal3.io/hold":null,
    "clusterctl.cluster.x-k8s.io/delete-for-move":""}}})";

std::size_t told(World& w) { return std::ranges::count(w.eventReasons(), "BeingMoved"); }

}  // namespace

TEST_CASE("§1.13 a host that is moved away is neither powered nor cleaned", "[host][controller]") {
  World w;
  const bool isInUse = GENERATE(true, false);
  CAPTURE(isInUse);
  auto wanted = aHost(State::none).online();
  if (isInUse) wanted.image("http://i/a");
  w.create(wanted);
  REQUIRE(w.reaches(isInUse ? "provisioned" : "available"));
  w.patch(R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":"metal3.io/capm3"}}})");
  w.patch(R"({"spec":{"online":false}})");
  w.settle(1min);
  const auto before = w.get();
  const auto calls = w.script.calls.size();
  w.writes = 0;
  w.patch(kDeleteForMove);
  w.settle(2s);
  w.remove();
  w.settle(30s);
  CHECK(told(w) == 0);
  w.settle(1h);
  CHECK(w.script.calls.size() == calls);
  CHECK(w.writes == 0);
  CHECK(w.get().status == before.status);
  CHECK(told(w) == 1);
  const auto events = w.events();
  const auto event = std::ranges::find(events, "BeingMoved", &kube::Event::reason);
  REQUIRE(event != events.end());
  CHECK_THAT(event->message, Catch::Contains("take its finalizers off") && Catch::Contains("deprovisioned"));
  SECTION("it goes with its finalizers, and nothing comes back") {
    w.patch(R"({"metadata":{"finalizers":null}})");
    w.settle(1min);
    CHECK_FALSE(w.find());
    CHECK(w.script.calls.size() == calls);
  }
  SECTION("without the mark its deletion is like any other") {
    w.patch(R"({"metadata":{"annotations":null}})");
    CHECK(w.vanishes());
    CHECK(w.script.calls.size() > calls);
  }
  SECTION("a coordinator that starts anew leaves it alone too") {
    w.kill();
    w.start();
    w.settle(1h);
    CHECK(w.script.calls.size() == calls);
    CHECK(w.get().status == before.status);
  }
}

}  // namespace ingot::tests
