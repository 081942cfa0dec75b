// Hosts that name one machine, under the controller.
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

}  // namespace
}  // namespace ingot::tests
