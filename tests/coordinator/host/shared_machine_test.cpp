// Hosts that name one machine, under the controller: which one gets the node, and when the others look again.
#include "coordinator/host/same_machine.hpp"
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

#include <ctime>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;

std::clock_t timeFor(const std::function<void()>& work) {
  const std::clock_t begun = std::clock();
  work();
  return std::clock() - begun;
}

TEST_CASE("a pass over a host parses nothing of what other hosts of its machine carry", "[host][controller]") {
  World w(World::Admission::none);
  w.script.asksForMachine = true;
  w.create(aHost(State::none).build());
  REQUIRE(w.reaches("available"));
  std::string numbers = "1";
  for (int i = 0; i < 100'000; ++i) numbers += ",1";
  auto other = aHost(State::none)
                   .annotated(api::annotation::paused)
                   .annotated(carried, R"({"provisioning":{"state":"registering"},"more":[)" + numbers + "]}")
                   .build();
  constexpr int kOthers = 20;
  for (int i = 0; i < kOthers; ++i) {
    other.metadata.name = "x" + std::to_string(i);
    w.create(other);
  }
  w.settle(2s);
  other.status = {};
  REQUIRE(host::claimOf(other).rank == host::MachineClaim::Rank::unregistered);
  const auto forAll = timeFor([&] {
    for (int i = 0; i < kOthers; ++i) static_cast<void>(host::claimOf(other));
  });
  const int before = w.script.count("register");
  const auto forPass = timeFor([&] {
    w.patch(R"({"spec":{"automatedCleaningMode":"disabled"}})");
    w.settle(1s);
  });
  CHECK(w.script.count("register") > before);
  CHECK(forPass < forAll / 2);
}

TEST_CASE("a host is woken when what another one carries does not come first any more", "[host][controller]") {
  World w;
  w.script.asksForMachine = true;
  w.kill();
  w.create(aHost(State::none).build());
  w.settle(2s);
  w.create(aHost(State::none)
               .annotated(api::annotation::paused)
               .annotated(carried, R"({"provisioning":{"state":"provisioned"}})")
               .with([](auto& it) { it.metadata.name = "x"; }));
  w.start();
  w.settle(30min);
  REQUIRE(w.state() == "registering");
  CHECK_THAT(w.get().status.errorMessage, Catch::Contains("metal/x names the same machine"));
  CHECK(w.script.count("register") == 0);
  SECTION("because that is corrected") {
    w.patch(R"({"metadata":{"annotations":{"baremetalhost.metal3.io/status":"{}"}}})", "x");
  }
  SECTION("because that is removed") {
    w.patch(R"({"metadata":{"annotations":{"baremetalhost.metal3.io/status":null}}})", "x");
  }
  w.settle(5s);
  CHECK(w.get().status.errorMessage.empty());
  CHECK(w.script.count("register") > 0);
}

TEST_CASE("a host that gives its claim up is not looked at once more for that", "[host][controller]") {
  World w;
  w.create(aHost(State::none).build());
  REQUIRE(w.reaches("available"));
  w.settle(1min);
  w.patch(R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":""}}})");
  w.settle(5s);
  REQUIRE(w.get().status.operationalStatus == "detached");
  CHECK(w.script.count("remove") == 1);
}

}  // namespace
}  // namespace ingot::tests
