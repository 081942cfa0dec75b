// What comes next with a node whose machine an agent boots from a live ISO (docs/decisions/0038).
#include "coordinator/host/ironic/access.hpp"
#include "coordinator/host/ironic/instance.hpp"
#include "coordinator/host/ironic/operations.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::host;
using namespace ingot::coordinator::host::ironic_backend;
using ironic::State;
using ironic::Verb;

namespace {

constexpr auto iso = "http://images/live.iso";

enum class Held { no, byUs, byOperator };

ironic::Node nodeIn(State state, BootPhase phase = BootPhase::none, Held held = Held::no) {
  ironic::Node node;
  node.provisionState = state;
  ironic::NodePatch patch(node);
  setBootPhase(patch, phase);
  if (phase != BootPhase::none) {
    node.extra[bootMark] = patch.operations().at(0).at("value");
    node.instanceInfo["boot_iso"] = iso;
  }
  node.maintenance = held != Held::no;
  if (held == Held::byUs) node.maintenanceReason = lentToBootReason;
  if (held == Held::byOperator) node.maintenanceReason = "disk swap";
  return node;
}

Deployment wanting(const std::string& url = iso) { return {.image = {.url = url, .format = "live-iso"}}; }

template <class Plan, class Step>
bool is(const Plan& plan, const Step& step) {
  const auto* planned = std::get_if<Step>(&plan);
  return planned != nullptr && *planned == step;
}

ironic::Node faulty(ironic::Node node) {
  node.maintenance = true;
  node.fault = "power failure";
  return node;
}

const Wait brief{Pause::brief}, extended{Pause::extended};

}  // namespace

TEST_CASE("how far an agent has come with a boot is read from the node as it was written", "[plan]") {
  for (const auto phase : {BootPhase::none, BootPhase::lent, BootPhase::booted, BootPhase::ejected}) {
    const auto node = nodeIn(State::available, phase);
    CHECK(bootPhaseOf(node) == phase);
    CHECK(owesEjection(node) == (phase == BootPhase::lent || phase == BootPhase::booted));
  }
  auto node = nodeIn(State::available);
  node.extra[bootMark] = true;
  CHECK(bootPhaseOf(node) == BootPhase::none);
}

TEST_CASE("a node is put on record, lent, and brought to active once its agent has proved the boot", "[plan]") {
  using enum BootPhase;
  const auto plan = [](const ironic::Node& node) { return planBootLoan(node, wanting()); };
  CHECK(is(plan(nodeIn(State::available)), Deploy{}));
  CHECK(is(plan(nodeIn(State::available, ejected)), Deploy{}));
  CHECK(is(plan(nodeIn(State::available, lent)), LendToBoot{}));
  CHECK(is(plan(nodeIn(State::available, lent, Held::byUs)), LetBoot{}));
  CHECK(is(plan(nodeIn(State::available, booted, Held::byUs)), Send{Verb::manage}));
  CHECK(is(plan(nodeIn(State::available, booted)), Send{Verb::manage}));
  CHECK(is(plan(nodeIn(State::manageable, booted)), Send{Verb::adopt}));
  CHECK(is(plan(nodeIn(State::adopting, booted)), brief));
  CHECK(is(plan(nodeIn(State::adoptFailed, booted)), Fail{"Host adoption failed: Ironic gives no reason"}));
  CHECK(is(plan(nodeIn(State::active, booted)), ReportDeployed{}));
  CHECK(is(plan(nodeIn(State::active, booted, Held::byUs)), ClearMaintenance{}));
}

TEST_CASE("a lent node that Ironic works on, or that is lost, is nobody's to boot for the moment", "[plan]") {
  auto node = nodeIn(State::available, BootPhase::lent, Held::byUs);
  SECTION("a reservation") {
    node.reservation = "conductor";
    CHECK(is(planBootLoan(node, wanting()), brief));
  }
  SECTION("a power target") {
    node.targetPowerState = "power on";
    CHECK(is(planBootLoan(node, wanting()), brief));
  }
  SECTION("a fault") { CHECK(is(planBootLoan(faulty(node), wanting()), WaitToLend{})); }
}

TEST_CASE("what an agent was asked to boot earlier says nothing of the image that is wanted now", "[plan]") {
  const auto other = wanting("http://images/other.iso");
  CHECK(is(planBootLoan(nodeIn(State::available, BootPhase::lent, Held::byUs), other), Deploy{}));
  CHECK(is(planBootLoan(nodeIn(State::available, BootPhase::booted), other), Deploy{}));
  CHECK(is(planBootLoan(nodeIn(State::manageable, BootPhase::booted), other), Send{Verb::provide}));
  CHECK(std::holds_alternative<Fail>(planBootLoan(nodeIn(State::active, BootPhase::booted), other)));
}

TEST_CASE("an image is the one that Ironic was told, also where Ironic does not show all of its URL", "[plan]") {
  const std::string_view token = "http://images/x.iso?image_token=";
  CHECK(readsAs("http://images/x.iso?image_token=******", std::string(token) + "a&z=1"));
  CHECK(readsAs("http://i/x.iso?token=****** second='******'", "http://i/x.iso?token=a second='b'"));
  CHECK(readsAs("a******b******c", "a1b2b3c"));
  CHECK(readsAs("a******", "a******"));
  CHECK_FALSE(readsAs("http://images/x.iso?image_token=******", "http://images/y.iso?image_token=a"));
  CHECK_FALSE(readsAs("http://images/x.iso?image_token=******", "http://images/x.iso"));
  CHECK_FALSE(readsAs("a******b******c", "a1c"));
  CHECK_FALSE(readsAs("a******b", "a"));
  CHECK_FALSE(readsAs("a", "ab"));
  CHECK_FALSE(readsAs("", "a"));

  auto node = nodeIn(State::active, BootPhase::booted);
  node.instanceInfo["boot_iso"] = std::string(token) + "******";
  CHECK(is(planBootLoan(node, wanting(std::string(token) + "a")), ReportDeployed{}));
  CHECK(is(planProvisioning(node, wanting(std::string(token) + "a"), false), ReportDeployed{}));
  CHECK(std::holds_alternative<Fail>(planBootLoan(node, wanting())));
}

TEST_CASE("a node that something else stands in the way of is waited for, or led to where it can be lent", "[plan]") {
  const auto plan = [](const ironic::Node& node) { return planBootLoan(node, wanting()); };
  CHECK(is(plan(nodeIn(State::available, BootPhase::none, Held::byOperator)), WaitToLend{}));
  for (const auto phase : {BootPhase::lent, BootPhase::booted, BootPhase::ejected})
    for (const auto state : {State::available, State::manageable, State::adoptFailed})
      CHECK(is(plan(nodeIn(state, phase, Held::byOperator)), WaitToLend{}));
  CHECK(is(plan(faulty(nodeIn(State::available))), WaitToLend{}));
  CHECK(is(plan(nodeIn(State::manageable)), Send{Verb::provide}));
  CHECK(is(plan(nodeIn(State::manageable, BootPhase::lent)), Send{Verb::provide}));
  CHECK(is(plan(nodeIn(State::deployFailed)), Send{Verb::undeploy}));
  CHECK(is(plan(nodeIn(State::cleanFailed)), Send{Verb::manage}));
  for (const auto busy : {State::deploying, State::deployWait, State::cleaning, State::cleanWait})
    CHECK(is(plan(nodeIn(busy)), extended));
}

TEST_CASE("what an agent has proved to be booted becomes active, also when Ironic is to boot by now", "[plan]") {
  using enum BootPhase;
  const auto plan = [](const ironic::Node& node) { return planProvisioning(node, wanting(), false); };
  CHECK(is(plan(nodeIn(State::available, booted)), Send{Verb::manage}));
  CHECK(is(plan(nodeIn(State::manageable, booted)), Send{Verb::adopt}));
  CHECK(is(plan(nodeIn(State::adoptFailed, booted)), Fail{"Host adoption failed: Ironic gives no reason"}));
  CHECK(is(plan(nodeIn(State::active, booted)), ReportDeployed{}));
  CHECK(is(plan(nodeIn(State::available, lent, Held::byUs)), Deploy{}));
  CHECK(is(plan(nodeIn(State::manageable, lent)), Send{Verb::provide}));
}

TEST_CASE("a node goes by way of a tear-down or a cleaning, with or without its agent", "[plan]") {
  using enum BootPhase;
  const auto plan = [](const ironic::Node& node) { return planDeprovisioning(node, false); };
  CHECK(is(plan(nodeIn(State::active, booted)), TearDown{}));
  CHECK(is(plan(nodeIn(State::active, ejected)), TearDown{}));
  CHECK(is(plan(nodeIn(State::available, ejected)), Send{Verb::manage}));
  CHECK(is(plan(nodeIn(State::manageable, ejected)), Send{Verb::provide}));
  CHECK(is(plan(nodeIn(State::adoptFailed, ejected)), Send{Verb::manage}));
  auto running = nodeIn(State::manageable, ejected);
  running.powerState = "power on";
  CHECK(is(plan(running), SwitchOff{}));
  running.targetPowerState = "power off";
  CHECK(is(plan(running), brief));
  for (const auto phase : {lent, booted}) {  // nobody has taken it out: a tear-down does, which takes an active node
    CHECK(is(plan(nodeIn(State::available, phase)), Send{Verb::manage}));
    CHECK(is(plan(nodeIn(State::manageable, phase)), Send{Verb::adopt}));
    CHECK(is(plan(nodeIn(State::adopting, phase)), brief));
    CHECK(is(plan(nodeIn(State::adoptFailed, phase)), GiveUpAdoption{}));
  }
  CHECK(is(plan(nodeIn(State::available)), ReportTornDown{}));
  CHECK(is(plan(nodeIn(State::manageable)), Send{Verb::provide}));
}

TEST_CASE("a node that is lent to eject stays lent until it is ejected, and no longer", "[plan]") {
  const auto node = nodeIn(State::active, BootPhase::booted, Held::byUs);
  CHECK(is(planAdoption(node, {.state = api::ProvisioningState::deprovisioning}), Complete{}));
  CHECK(is(planAdoption(node, {.state = api::ProvisioningState::provisioned}), ClearMaintenance{}));
  const auto operators = nodeIn(State::active, BootPhase::booted, Held::byOperator);
  CHECK(is(planAdoption(operators, {.state = api::ProvisioningState::deprovisioning}), Complete{}));
  const auto ironics = nodeIn(State::active, BootPhase::none, Held::byOperator);  // as ever
  CHECK(is(planAdoption(ironics, {.state = api::ProvisioningState::deprovisioning}), ClearMaintenance{}));
}

TEST_CASE("a node is lent for both kinds of work, and says for which", "[plan]") {
  for (const auto reason : {lentReason, lentToBootReason}) {
    auto node = nodeIn(State::available);
    node.maintenance = true;
    node.maintenanceReason = reason;
    CHECK(isLent(node));
  }
  const auto lost = faulty(nodeIn(State::available));
  CHECK(whyNotLent(lost, Loan::toErase).ends_with("its disks are erased once it is back"));
  CHECK(whyNotLent(lost, Loan::toBoot).ends_with("its agent goes on with it once it is back"));
  CHECK(whyNotLent(nodeIn(State::available), Loan::toBoot).empty());
}

TEST_CASE("Ironic empties the virtual drives of machines that it boots from them", "[plan]") {
  using enum bmc::Scheme;
  for (const auto scheme : {redfishVirtualMedia, ilo5VirtualMedia, idracVirtualMedia})
    CHECK(emptiesDrives(accessOf(scheme).boot));
  for (const auto scheme : {redfish, ilo5Redfish, idracRedfish, redfishUefiHttp, ipmi})
    CHECK_FALSE(emptiesDrives(accessOf(scheme).boot));
}
