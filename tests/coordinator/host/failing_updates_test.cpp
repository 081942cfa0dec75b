// An API that reads well and answers some updates with 500, as with an admission webhook that is down.
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;
using host::Working;

std::function<bool(const net::ServerRequest&)> updatesOf(std::string pathEnd) {
  return [pathEnd](const net::ServerRequest& request) {
    return request.method != "GET" && request.path().ends_with(pathEnd);
  };
}

void provision(World& w) {
  w.create(aHost(State::none).online().image("http://i/a"));
  REQUIRE(w.reaches("provisioned"));
  w.settle(5s);
}

long told(World& w, const std::string& reason) { return std::ranges::count(w.eventReasons(), reason); }

bool hasEvent(World& w, const std::string& message) {
  const auto events = w.events();
  return std::ranges::any_of(events, [&](const auto& event) { return event.message.starts_with(message); });
}

TEST_CASE("HardwareData that the API fails to change holds a deletion for a few minutes only", "[host][delete]") {
  World w;
  provision(w);
  w.failing = updatesOf("/hardwaredata/a");
  w.remove();
  CHECK(w.reaches("deleting", 1min));  // no step before the last waits for it
  CHECK_FALSE(w.vanishes(1min));
  CHECK(w.vanishes(9min));
  w.settle(1min);
  CHECK(told(w, "HardwareDataNotReleased") == 1);
  CHECK(
      hasEvent(w, "the HardwareData a keeps the finalizer baremetalhost.metal3.io/hardwareData, remove it by hand: "));
  CHECK(w.hardware());
}

TEST_CASE("HardwareData that the API failed to change is let go when it does", "[host][delete]") {
  World w;
  provision(w);
  w.failing = updatesOf("/hardwaredata/a");
  w.remove();
  w.settle(30s);
  w.failing = nullptr;
  CHECK(w.vanishes(5min));
  w.settle(1min);
  CHECK(told(w, "HardwareDataNotReleased") == 0);
  CHECK_FALSE(w.hardware());
}

TEST_CASE("a host whose last update fails is tried in growing pauses, and says why it is still there",
          "[host][delete]") {
  World w;
  provision(w);
  w.failing = updatesOf("/baremetalhosts/a");
  w.remove();
  w.settle(10min);
  REQUIRE(w.state() == "deleting");
  CHECK(w.script.count("remove") > 5);
  CHECK(w.script.count("remove") < 25);
  CHECK_THAT(w.get().status.errorMessage, Catch::Contains("the webhook is down"));
  CHECK(w.get().status.errorType.empty());
  w.failing = nullptr;
  CHECK(w.vanishes(11min));
}

TEST_CASE("a status that cannot be written does not keep a host whose work is done", "[host][delete]") {
  World w;
  provision(w);
  for (int i = 0; i < 1000; ++i) w.script.answer("remove", Working{10s});
  w.remove();
  REQUIRE(w.reaches("deleting"));
  w.settle(1min);
  w.failing = updatesOf("/status");
  w.script.answers.clear();
  CHECK(w.vanishes(11min));
}

}  // namespace
}  // namespace ingot::tests
