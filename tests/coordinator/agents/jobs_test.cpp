// The longer work that agents are asked for.
#include "tests/coordinator/agents/parts.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const bmc::BootPlan plan{.image = "http://images/live.iso", .setting = {.device = bmc::BootDevice::cdrom}};

}  // namespace

TEST_CASE("an agent is asked once to prepare a boot, and again over another connection") {
  Parts parts;
  parts.serve();
  parts.jobs.askForBoot(parts.uid(0), plan);
  parts.pass(30s);
  parts.jobs.askForBoot(parts.uid(0), plan);
  parts.clock.settle();
  REQUIRE(parts.count<wire::BootRequest>() == 1);
  CHECK(parts.last<wire::BootRequest>()->device == "cdrom");

  parts.agent = nullptr;
  parts.agent = parts.wires.agent(std::string(40, 'k'));
  parts.tasks.spawn("agent again", parts.listen());
  parts.sayHello("boot-2", {"boot-1"});
  parts.pass(5s);
  parts.jobs.askForBoot(parts.uid(0), plan);
  parts.clock.settle();
  CHECK(parts.count<wire::BootRequest>() == 2);
}

TEST_CASE("nobody is asked to prepare a boot while Ironic has the BMC") {
  Parts parts;
  parts.serve();
  static_cast<void>(parts.grants.acquireBmc(parts.uid(0)));
  parts.jobs.askForBoot(parts.uid(0), plan);
  parts.clock.settle();
  CHECK(parts.count<wire::BootRequest>() == 0);
}

TEST_CASE("the answer to a boot counts from the agent that was asked, and until it is forgotten") {
  Parts parts;
  parts.serve();
  const auto& asked = parts.jobs.askForBoot(parts.uid(0), plan);
  parts.clock.settle();
  parts.woken.clear();
  const auto token = parts.last<wire::BootRequest>()->token;
  parts.say(
      wire::BootResult{.host = parts.uid(0), .token = {token.term, token.lease, token.seq + 1}, .outcome = "done"});
  parts.clock.settle();
  CHECK_FALSE(asked.result);
  parts.say(wire::BootResult{.host = parts.uid(0), .token = token, .outcome = "done"});
  parts.clock.settle();
  REQUIRE(asked.result);
  CHECK(parts.woken == std::vector<std::string>{"host-0"});
  parts.jobs.forget(parts.uid(0));
  CHECK_FALSE(parts.jobs.askForBoot(parts.uid(0), plan).result);
}

TEST_CASE("what an agent does not say that it can, it is not held to be able to") {
  Parts parts;
  parts.serve();
  CHECK(parts.jobs.preparesBoots(parts.uid(0)));
  CHECK_FALSE(parts.jobs.erasesDrives(parts.uid(0)));
  CHECK_FALSE(parts.jobs.canReadInventory(parts.uid(0)));
}
