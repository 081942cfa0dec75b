// The longer work that agents are asked for.
#include "coordinator/agents/cleaning_depth.hpp"
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

namespace {

// Host 0 is as an inspection has found it, and its drives may be erased.
struct ErasedParts : Parts {
  ErasedParts() {
    sayHello("boot-1", {}, {std::string(wire::eraseCapability)});
    pass(3s);
    approve();
    pass(25s);
    patchHost(0, R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"crypto",
                                                "ingot.dev/cleaning-steps":"clear-sel"}}})");
    run(client->patchStatus<api::BareMetalHost>(
        {"metal", "host-0"}, json::parse(R"({"status":{"hardware":{"systemVendor":{"serialNumber":"S1"},
                        "storage":[{"name":"Disk.0","serialNumber":"A","sizeBytes":1}]}}})")));
    pass(1s);
  }
  [[nodiscard]] coordinator::agents::EraseAsk ask() {
    const auto host = grants.hostOf(uid(0));
    return {.job = "1", .order = eraseOrder(*host, *coordinator::agents::cleaningDepth(*host))};
  }
  void confirm(const wire::Token& token, std::int64_t id) {
    say(wire::EraseConfirm{.host = uid(0), .token = token, .job = "1", .id = id});
    clock.settle();
  }
};

}  // namespace

TEST_CASE("an order to erase says what is to be done then, and is given again when the agent asks whether it stands") {
  ErasedParts parts;
  const auto order = parts.ask();
  parts.jobs.askForErasure(parts.uid(0), order);
  parts.clock.settle();
  REQUIRE(parts.count<wire::EraseRequest>() == 1);
  const auto first = parts.last<wire::EraseRequest>().value();
  CHECK(first.known == std::vector<std::string>{"A"});
  CHECK(first.steps == std::vector<std::string>{"clear-sel"});
  CHECK(first.confirms == -1);  // one that answers
  SECTION("it stands") {
    parts.confirm(first.token, 7);
    REQUIRE(parts.count<wire::EraseRequest>() == 2);
    CHECK(parts.last<wire::EraseRequest>()->confirms == 7);
    CHECK(first.token < parts.last<wire::EraseRequest>()->token);
    parts.confirm(parts.last<wire::EraseRequest>()->token, 8);  // by its new token, too
    CHECK(parts.last<wire::EraseRequest>()->confirms == 8);
    return;
  }
  SECTION("the host says something else by now, and nobody has looked at it since") {
    const std::string change = GENERATE(R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":null}}})",
                                        R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"crypto,A=keep"}}})",
                                        R"({"metadata":{"annotations":{"ingot.dev/cleaning-steps":"clear-logs"}}})",
                                        R"({"spec":{"automatedCleaningMode":"disabled"}})");
    parts.patchHost(0, change);
    parts.clock.settle();
    parts.confirm(first.token, 7);
    REQUIRE(parts.count<wire::EraseRequest>() == 2);
    CHECK(parts.last<wire::EraseRequest>()->confirms == 7);
    CHECK(parts.last<wire::EraseRequest>()->resumeOnly);
    parts.jobs.forgetErasure(parts.uid(0));
    parts.jobs.askForErasure(parts.uid(0), order);  // by a pass that began before
    parts.clock.settle();
    CHECK(parts.count<wire::EraseRequest>() == 2);
    return;
  }
  SECTION("the host is paused") {
    parts.patchHost(0, R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})");
    parts.clock.settle();
    parts.confirm(first.token, 7);
  }
  SECTION("Ironic has the BMC") {
    static_cast<void>(parts.grants.acquireBmc(parts.uid(0)));
    parts.confirm(first.token, 7);
  }
  SECTION("it was never given so") { parts.confirm({first.token.term, first.token.lease, first.token.seq + 9}, 7); }
  CHECK(parts.count<wire::EraseRequest>() == 1);
}

TEST_CASE("what an agent does not say that it can, it is not held to be able to") {
  Parts parts;
  parts.serve();
  CHECK(parts.jobs.preparesBoots(parts.uid(0)));
  CHECK_FALSE(parts.jobs.erasesDrives(parts.uid(0)));
  CHECK_FALSE(parts.jobs.canReadInventory(parts.uid(0)));
}

TEST_CASE("the hardware that an agent has read is kept until it is forgotten, also once it was used") {
  Parts parts;
  parts.sayHello("boot-1", {}, {std::string(wire::inventoryCapability)});
  parts.pass(3s);
  parts.approve();
  parts.pass(25s);
  const auto uid = parts.uid(0);
  const kube::ObjectKey host{"metal", "host-0"};
  REQUIRE(parts.jobs.canReadInventory(uid));
  parts.jobs.askForInventory(uid);
  parts.clock.settle();
  const auto id = parts.last<wire::InventoryRequest>().value().id;
  const bool isDone = GENERATE(true, false);
  parts.say(wire::InventoryResult{.host = uid,
                                  .id = id,
                                  .outcome = isDone ? "done" : "failed",
                                  .inventory = {.serialNumber = "S1", .networkCards = {{.name = "n", .link = "up"}}}});
  parts.clock.settle();
  const auto told = parts.hardware.find(host, parts.clock.now());
  REQUIRE(told.has_value() == isDone);
  if (!isDone) return;
  CHECK(told->inventory == R"({"serialNumber":"S1","networkCards":[{"name":"n","link":"up"}]})");
  parts.jobs.forgetInventory(uid);  // the inspection has taken it
  CHECK(parts.hardware.find(host, parts.clock.now()));
  parts.jobs.forgetHardware(uid);
  CHECK_FALSE(parts.hardware.find(host, parts.clock.now()));
}
