// Deleting a host in the middle of Ironic's work: it ends by itself, with and without an agent.
#include "tests/matrix/plant.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::matrix {
namespace {

using namespace std::chrono_literals;
using ironic::State;

constexpr auto node = "metal~a";

bool waitFor(Plant& plant, const std::function<bool()>& done, base::Duration limit) {
  for (base::Duration passed{}; passed < limit; passed += 1s) {
    if (done()) return true;
    plant.tick();
  }
  return done();
}

bool ironicReaches(Plant& plant, State state) {
  return plant.loop.clock.advanceUntil([&] { return plant.ironic.has(node) && plant.ironic.state(node) == state; },
                                       10min);
}

bool leaves(Plant& plant, base::Duration limit) {
  return waitFor(plant, [&] { return plant.host("a") == nullptr; }, limit);
}

void provision(Plant& plant) {
  REQUIRE(waitFor(plant, [&] { return plant.host("a")->status.provisioning.state == "available"; }, 10min));
  plant.patchHost("a", deployment);
}

}  // namespace

TEST_CASE("a host is deleted whatever Ironic is doing with it", "[scenario][delete]") {
  const auto agents = GENERATE(Agents::none, Agents::oneForAll);
  const auto state = GENERATE(State::verifying, State::inspecting, State::inspectWait, State::cleaning,
                              State::cleanWait, State::deploying, State::deployWait);
  INFO(json::textOf(state) << (agents == Agents::none ? "" : ", with an agent"));
  Plant plant(agents);
  plant.addHost("a");
  const bool inspects = state == State::verifying || state == State::inspecting || state == State::inspectWait;
  if (!inspects) provision(plant);
  REQUIRE(ironicReaches(plant, state));
  plant.removeHost("a");
  CHECK(leaves(plant, 10min));
  CHECK(plant.server("a").bmc.powerState == "Off");
  CHECK(plant.ironic.nodeCount() == 0);
  CHECK(plant.breaches("a").empty());
}

TEST_CASE("an inspection that would never end is aborted by the deletion", "[scenario][delete]") {
  Plant plant(GENERATE(Agents::none, Agents::oneForAll));
  plant.addHost("a");
  REQUIRE(ironicReaches(plant, State::inspectWait));
  plant.ironic.stallRamdisk(node);
  plant.removeHost("a");
  CHECK(leaves(plant, 5min));
  CHECK(plant.server("a").bmc.powerState == "Off");
}

TEST_CASE("a provisioned host whose BMC has died is deleted within ten minutes", "[scenario][delete]") {
  const auto agents = GENERATE(Agents::none, Agents::oneForAll);
  const bool ironicKnows = GENERATE(true, false);
  INFO((agents == Agents::none ? "no agent" : "an agent") << (ironicKnows ? ", Ironic knows" : ""));
  Plant plant(agents);
  plant.addHost("a");
  provision(plant);
  REQUIRE(waitFor(plant, [&] { return plant.host("a")->status.provisioning.state == "provisioned"; }, 10min));
  plant.network.remove("https://" + plant.server("a").address + ":443");
  plant.ironic.loseBmc(node, "no route to host");
  const auto fault = [&] { return json::textAt(plant.ironic.record(node), {"fault"}); };
  if (ironicKnows) REQUIRE(waitFor(plant, [&] { return fault() == "power failure"; }, 10min));
  CHECK(fault().empty() == !ironicKnows);
  plant.removeHost("a");
  CHECK(leaves(plant, 10min));
  CHECK(plant.ironic.nodeCount() == 0);
}

TEST_CASE("a provisioned host whose BMC answers, but does not switch it off, is deleted within ten minutes",
          "[scenario][delete]") {
  Plant plant(GENERATE(Agents::none, Agents::oneForAll));
  plant.addHost("a");
  provision(plant);
  REQUIRE(waitFor(plant, [&] { return plant.host("a")->status.poweredOn; }, 10min));
  plant.ironic.breakPower(node, "the BMC refuses");
  plant.server("a").bmc.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().ends_with("ComputerSystem.Reset")) return std::nullopt;
    return net::HttpResponse{.status = 400};
  };
  plant.removeHost("a");
  CHECK(leaves(plant, 10min));
  CHECK(plant.ironic.nodeCount() == 0);
  const auto& told = plant.messagesOf("a");
  CHECK(std::ranges::any_of(told, [](const auto& m) { return m.find("Failed to tear down") != std::string::npos; }));
}

TEST_CASE("a fencing that a forgotten lock of Ironic's holds says so, and goes on when the lock goes", "[scenario]") {
  Plant plant(GENERATE(Agents::none, Agents::oneForAll));
  plant.addHost("a");
  provision(plant);
  REQUIRE(waitFor(plant, [&] { return plant.host("a")->status.poweredOn; }, 10min));
  plant.ironic.lock(node);
  plant.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io/fence":""}}})");
  waitFor(plant, [] { return false; }, 2min);
  CHECK(plant.host("a")->status.errorType == "power management error");
  CHECK_THAT(plant.host("a")->status.errorMessage, Catch::Contains("is locked by Ironic's conductor"));
  CHECK(plant.server("a").bmc.powerState == "On");
  plant.ironic.lock(node, false);
  CHECK(waitFor(plant, [&] { return plant.server("a").bmc.powerState == "Off"; }, 1min));
  CHECK(waitFor(plant, [&] { return plant.host("a")->status.errorMessage.empty(); }, 1min));
  CHECK(plant.breaches("a").empty());
}

TEST_CASE("a deletion that a forgotten lock of Ironic's holds says so, and goes on when the lock goes",
          "[scenario][delete]") {
  Plant plant(GENERATE(Agents::none, Agents::oneForAll));
  plant.addHost("a");
  provision(plant);
  REQUIRE(ironicReaches(plant, State::active));
  plant.ironic.lock(node);
  plant.removeHost("a");
  waitFor(plant, [] { return false; }, 2min);
  CHECK(plant.host("a")->status.provisioning.state == "deprovisioning");
  CHECK(plant.host("a")->status.errorType.empty());
  CHECK_THAT(plant.host("a")->status.errorMessage, Catch::Contains("is locked by Ironic's conductor"));
  plant.ironic.lock(node, false);
  CHECK(waitFor(plant, [&] { return plant.host("a")->status.errorMessage.empty(); }, 1min));
  CHECK(waitFor(plant, [&] { return plant.host("a") == nullptr; }, 10min));
}

TEST_CASE("a host whose cleaning fails for ever is given up, switched off and deleted", "[scenario][delete]") {
  const auto agents = GENERATE(Agents::none, Agents::oneForAll);
  // Ironic's power sync falls into each moment of the end, and undoes a change that its record has not followed.
  const int shift = agents == Agents::none ? 0 : GENERATE(range(0, 60));
  INFO(shift << " s later");
  Plant plant(agents);
  plant.addHost("a");
  provision(plant);
  REQUIRE(ironicReaches(plant, State::active));
  waitFor(plant, [] { return false; }, std::chrono::seconds(shift));
  const auto breakCleaning = [&] { plant.ironic.breakNext(node, ironic::Verb::provide, "the disk cannot be erased"); };
  breakCleaning();
  plant.removeHost("a");
  CHECK(waitFor(
      plant,
      [&] {
        if (plant.ironic.has(node) && plant.ironic.state(node) == State::cleaning) breakCleaning();
        return plant.host("a") == nullptr;
      },
      3h));
  CHECK(plant.server("a").bmc.powerState == "Off");
  const auto& told = plant.messagesOf("a");
  CHECK(std::ranges::any_of(told,
                            [](const auto& m) { return m.find("the disk cannot be erased") != std::string::npos; }));
}

}  // namespace ingot::tests::matrix
