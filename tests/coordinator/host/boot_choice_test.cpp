// Who boots a host: its annotation, its image and who is there decide (docs/decisions/0038).
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using host::State;

// Somebody beside the BMC, who does what he was told to.
struct ScriptedBoot final : host::OutOfBandBoot {
  std::string never, nobodyNow;
  host::Progress boots = host::Done{}, ejects = host::Done{};
  std::vector<std::string> calls;

  std::string whyNot(const api::BareMetalHost&) const override { return never; }
  std::string whyNobody(const api::BareMetalHost&) const override { return nobodyNow; }
  base::Task<host::Progress> boot(const api::BareMetalHost&, host::PowerBackend&, host::Publish) override {
    calls.emplace_back("boot");
    co_return boots;
  }
  base::Task<host::Progress> eject(const api::BareMetalHost&, host::PowerBackend&, host::Publish) override {
    calls.emplace_back("eject");
    co_return ejects;
  }
  std::optional<bool> proved;
  std::optional<bool> provedOn(const std::string&) const override { return proved; }
  void forget(const std::string&) override { calls.emplace_back("forget"); }
};

struct Choice : Bench {
  explicit Choice(State state, const std::string& format = "live-iso") : Bench(aHost(state)) {
    it.spec.image = it.status.lastAttemptedImage = api::Image{.url = "http://images/live.iso", .format = format};
    it.spec.online = true;
    it.metadata.annotations["ingot.dev/boot-by"] = "agent";
    script.lendsToBoot = true;
    boot = &beside;
  }
  [[nodiscard]] bool says(const std::string& words) const {
    return it.status.errorMessage.find(words) != std::string::npos;
  }
  ScriptedBoot beside;
};

TEST_CASE("a live ISO that is asked of an agent is booted by it, and the backend deploys nothing", "[host]") {
  Choice c(State::provisioning);
  c.pass();
  CHECK(c.beside.calls == std::vector<std::string>{"boot"});
  CHECK(c.script.count("noteBooted") == 1);
  c.pass();
  CHECK(c.state() == State::provisioned);
  CHECK(c.script.count("provision") == 0);
  CHECK(c.beside.calls == std::vector<std::string>{"boot", "forget"});
}

TEST_CASE("nothing is lent while nobody is there who boots", "[host]") {
  Choice c(State::provisioning);
  SECTION("no agent serves the host") { c.beside.nobodyNow = "no agent serves this host"; }
  SECTION("the coordinator has none") { c.boot = nullptr; }
  c.pass();
  CHECK(c.state() == State::provisioning);
  CHECK(c.script.count("lendToBoot") == 0);
  CHECK(c.script.count("provision") == 0);
  CHECK(c.says(c.boot == nullptr ? "this coordinator has no agents" : "no agent serves this host"));
  CHECK(c.says("without the annotation Ironic does it"));
  CHECK(c.it.status.errorType.empty());

  c.it.metadata.annotations.clear();
  c.pass();
  CHECK(c.script.count("provision") == 1);
  CHECK(c.state() == State::provisioned);
}

TEST_CASE("whoever boots a host forgets what he has done with it once somebody else may have had it", "[host]") {
  Choice c(State::provisioning);
  c.script.isOthers = true;
  c.pass();
  CHECK(c.beside.calls == std::vector<std::string>{"forget"});
  c.script.isOthers = false;
  c.pass();
  CHECK(c.beside.calls == std::vector<std::string>{"forget", "boot"});
}

TEST_CASE("whoever boots or ejects keeps what he has done in mind while the backend only takes note of it", "[host]") {
  const auto state = GENERATE(State::provisioning, State::deprovisioning);
  Choice c(state);
  c.script.owesEjection = state == State::deprovisioning;
  c.script.isOthers = true;
  c.script.answer("lend", host::Working{.obstacle = "the node is held"});
  c.script.leavesLentAsItIs = true;
  c.beside.proved = state == State::provisioning;
  c.pass();
  CHECK(c.beside.calls.empty());
  CHECK(c.script.askedOfLent == c.beside.proved);
}

TEST_CASE("nobody has to be there any more once the boot was proved", "[host]") {
  Choice c(State::provisioning);
  c.script.booted = true;
  SECTION("no agent serves the host") { c.beside.nobodyNow = "no agent serves this host"; }
  SECTION("the coordinator has none") { c.boot = nullptr; }
  c.pass();
  CHECK(c.state() == State::provisioned);
}

TEST_CASE("what is asked for and cannot be is refused where nothing has begun", "[host]") {
  Choice c(State::available);
  SECTION("by what is known of the host") { c.beside.never = "a BMC behind IPMI has no virtual media"; }
  SECTION("an unknown word") { c.it.metadata.annotations["ingot.dev/boot-by"] = "ironic"; }
  c.pass();
  CHECK(c.state() == State::available);
  CHECK(c.it.status.errorType == "provisioning error");
  CHECK(c.says(c.beside.never.empty() ? "'ironic' is nobody who boots hosts" : c.beside.never));
}

TEST_CASE("an image for a disk is the backend's, which an Event says; so is everything where there is no choice",
          "[host]") {
  const bool isDisk = GENERATE(true, false);
  Choice c(State::available, isDisk ? "raw" : "live-iso");
  c.script.lendsToBoot = isDisk;
  c.pass();
  CHECK(c.told("BootedByIronic") == isDisk);
  REQUIRE(c.state() == State::provisioning);
  c.it.spec.image->checksum = "c0ffee";
  c.it.status.lastAttemptedImage = c.it.spec.image;
  c.pass();
  CHECK(c.script.count("provision") == 1);
  CHECK(std::ranges::count(c.beside.calls, "boot") == 0);
}

TEST_CASE("a failure of the agent names the way out", "[host]") {
  Choice c(State::provisioning);
  c.beside.boots = host::Refused{"no virtual CD drive took it"};
  c.pass();
  CHECK(c.says("no virtual CD drive took it; without the annotation Ironic does it"));
  CHECK(c.it.status.errorType == "provisioning error");
}

TEST_CASE("what an agent has booted it ejects before the backend tears down", "[host]") {
  Choice c(State::deprovisioning);
  c.script.owesEjection = true;
  SECTION("it is asked to") {
    c.beside.ejects = host::Working{.after = std::chrono::seconds(2)};
    c.pass();
    CHECK(c.script.count("deprovision") == 0);
    c.beside.ejects = host::Done{};
    c.pass();
    CHECK(c.script.count("noteEjected") == 1);
    CHECK(c.script.count("deprovision") == 1);
  }
  SECTION("the host asks for nobody any more") {
    c.it.metadata.annotations.clear();
    c.pass();
    CHECK(c.beside.calls == std::vector<std::string>{"forget"});
    CHECK(c.script.count("lend") == 0);
    CHECK(c.script.count("deprovision") == 1);
  }
  SECTION("it cannot be given the host without credentials") {
    c.access.reset();
    c.pass();
    CHECK(c.says("the credentials of its BMC (Secret "));
    CHECK(c.says("without the annotation Ironic does it"));
    CHECK(c.script.count("deprovision") == 0);
  }
  SECTION("something stands in the way") {
    c.script.answer("lend", host::Working{.obstacle = "node x is in maintenance"});
    c.pass();
    CHECK(c.beside.calls == std::vector<std::string>{"forget"});
    CHECK(c.script.count("deprovision") == 0);
  }
  SECTION("it is gone") {
    c.beside.nobodyNow = "no agent serves this host";
    c.pass();
    CHECK(c.state() == State::deprovisioning);
    CHECK(c.says("without the annotation Ironic does it"));
    CHECK(c.script.count("lend") == 0);
    CHECK(c.script.count("deprovision") == 0);
  }
}

}  // namespace
}  // namespace ingot::tests
