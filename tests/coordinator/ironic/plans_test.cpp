// The decisions, row by row: state of the node and wishes → what comes next.
#include "coordinator/host/ironic/adopt.hpp"
#include "coordinator/host/ironic/capacity.hpp"
#include "coordinator/host/ironic/deprovision.hpp"
#include "coordinator/host/ironic/inspect.hpp"
#include "coordinator/host/ironic/ownership.hpp"
#include "coordinator/host/ironic/power.hpp"
#include "coordinator/host/ironic/prepare.hpp"
#include "coordinator/host/ironic/provision.hpp"
#include "coordinator/host/ironic/register.hpp"
#include "coordinator/host/ironic/remove.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::host;
using namespace ingot::coordinator::host::ironic_backend;
using ironic::Node;
using ironic::PowerTarget;
using ironic::State;
using ironic::Verb;
using Kind = Plan::Kind;

namespace {

Node in(State state, std::string lastError = "") {
  Node node;
  node.provisionState = state;
  node.lastError = std::move(lastError);
  return node;
}

Node failedIn(State state, std::string target, std::string lastError = "") {
  Node node = in(state, std::move(lastError));
  node.targetProvisionState = json::Enum<State>(std::move(target));
  return node;
}

Node maintained(Node node, std::string fault = "") {
  node.maintenance = true;
  node.fault = std::move(fault);
  return node;
}

Node powered(std::string now, std::string target = "", std::string lastError = "") {
  Node node = in(State::active, std::move(lastError));
  node.powerState = std::move(now);
  node.targetPowerState = std::move(target);
  return node;
}

const Plan complete = Plan::complete();
const Plan brief = Plan::wait(Pause::brief);
const Plan extended = Plan::wait(Pause::extended);

}  // namespace

TEST_CASE("registration moves a node out of enroll and leaves busy ones alone", "[plan]") {
  CHECK(planRegistration(in(State::enroll), {}) == Plan::send(Verb::manage));
  CHECK(planRegistration(in(State::enroll, "bad password"), {}) == Plan::fail("bad password"));
  CHECK(planRegistration(in(State::enroll, "bad password"), {.credentialsChanged = true}) == Plan::send(Verb::manage));
  CHECK(planRegistration(in(State::enroll, "bad password"), {.restartOnFailure = true}) == Plan::send(Verb::manage));
  CHECK(planRegistration(in(State::verifying), {}) == brief);
  for (const State busy : {State::cleanWait, State::cleaning, State::deployWait, State::deploying, State::inspecting})
    CHECK(planRegistration(in(busy), {}) == complete);
  for (const State other : {State::manageable, State::active, State::inspectWait, State::deployFailed})
    CHECK(planRegistration(in(other), {}) == Plan::just(Kind::configure));
}

TEST_CASE("inspection", "[plan]") {
  CHECK(planInspection(in(State::available), {}) == Plan::send(Verb::manage));
  CHECK(planInspection(in(State::manageable), {}) == Plan::just(Kind::readInventory));
  CHECK(planInspection(in(State::manageable), {.refresh = true}) == Plan::just(Kind::startInspection));
  CHECK(planInspection(in(State::inspecting), {}) == extended);
  CHECK(planInspection(in(State::inspectWait), {.fast = true}) == brief);
  CHECK(planInspection(in(State::inspectWait), {.forceReboot = true}) == Plan::send(Verb::abort));
  CHECK(planInspection(in(State::inspectFailed, "Timeout"), {}) == Plan::fail("Timeout"));
  CHECK(planInspection(in(State::inspectFailed), {}) == Plan::fail("Inspection failed"));
  CHECK(planInspection(in(State::inspectFailed, "Timeout"), {.restartOnFailure = true}) ==
        Plan::just(Kind::startInspection));
  CHECK(planInspection(in(State::inspectFailed, "Inspection was aborted by request."), {}) ==
        Plan::just(Kind::startInspection));
  CHECK(planInspection(in(State::deploying), {}) == Plan::giveUp("unexpected provision state deploying"));
}

TEST_CASE("adoption", "[plan]") {
  CHECK(planAdoption(in(State::enroll), "provisioned", false) == Plan::giveUp("invalid state for adopt: enroll"));
  CHECK(planAdoption(in(State::manageable), "provisioned", false) == Plan::send(Verb::adopt));
  CHECK(planAdoption(in(State::manageable), "deprovisioning", false) == complete);
  CHECK(planAdoption(in(State::adopting), "provisioned", false) == brief);
  CHECK(planAdoption(in(State::adoptFailed, "no"), "provisioned", false) == Plan::fail("Host adoption failed: no"));
  CHECK(planAdoption(in(State::adoptFailed, "no"), "provisioned", true) == Plan::send(Verb::adopt));
  CHECK(planAdoption(in(State::active), "provisioned", false) == complete);
  CHECK(planAdoption(maintained(in(State::active)), "provisioned", false) == Plan::just(Kind::clearMaintenance));
  CHECK(planAdoption(maintained(in(State::active), "power failure"), "provisioned", false) == complete);
}

TEST_CASE("preparation", "[plan]") {
  CHECK(planPreparation(in(State::available), false) == complete);
  CHECK(planPreparation(in(State::manageable), false) == complete);
  CHECK(planPreparation(in(State::cleanWait), false) == extended);
  CHECK(planPreparation(in(State::cleanFailed, "no disk"), false) == Plan::fail("no disk"));
  CHECK(planPreparation(in(State::cleanFailed), false) == Plan::fail("Cleaning failed"));
  CHECK(planPreparation(in(State::cleanFailed), true) == Plan::send(Verb::manage));
  CHECK(planPreparation(maintained(in(State::cleanFailed)), true) == Plan::just(Kind::clearMaintenance));
  CHECK(planPreparation(in(State::active), false) == Plan::giveUp("have unexpected ironic node state active"));
}

TEST_CASE("provisioning", "[plan]") {
  const Deployment wanted{.uid = "u", .image = {.url = "http://a", .checksum = "abcd", .checksumType = "md5"}};
  CHECK(planProvisioning(in(State::manageable), wanted, false) == Plan::send(Verb::provide));
  CHECK(planProvisioning(in(State::available), wanted, false) == Plan::just(Kind::deploy));
  CHECK(planProvisioning(in(State::active), wanted, false) == Plan::just(Kind::reportDeployed));
  CHECK(planProvisioning(in(State::cleanFailed), wanted, false) == Plan::send(Verb::manage));
  CHECK(planProvisioning(maintained(in(State::cleanFailed)), wanted, false) == Plan::just(Kind::clearMaintenance));
  CHECK(planProvisioning(in(State::deployWait), wanted, false) == extended);
  CHECK(planProvisioning(in(State::deployWait), wanted, true) == Plan::send(Verb::undeploy));
  CHECK(planProvisioning(in(State::cleaning), wanted, true) == extended);
}

TEST_CASE("a node that holds another image is not reported as deployed", "[plan]") {
  const auto planFor = [](json::Object told, api::Image image) {
    Node node = in(State::active);
    node.instanceInfo = std::move(told);
    return planProvisioning(node, Deployment{.uid = "u", .image = std::move(image)}, false).kind;
  };
  const api::Image disk{.url = "http://b", .checksum = "abcd"}, iso{.url = "http://b", .format = "live-iso"};
  CHECK(planFor({{"image_source", "http://a"}}, disk) == Kind::fail);
  CHECK(planFor({{"image_source", "http://b"}}, disk) == Kind::reportDeployed);
  CHECK(planFor({{"boot_iso", "http://a"}}, iso) == Kind::fail);
  CHECK(planFor({{"boot_iso", "http://b"}}, iso) == Kind::reportDeployed);
  CHECK(planFor({}, disk) == Kind::reportDeployed);                            // adopted: Ironic was never told
  CHECK(planFor({{"image_source", "http://a"}}, {}) == Kind::reportDeployed);  // a custom deployment without one
  CHECK(planFor({{"image_source", "oci://r/os@sha256:1"}}, {.url = "oci://r/os:1"}) == Kind::reportDeployed);
}

TEST_CASE("a failed deployment is an error for the same image and a new start for another", "[plan]") {
  Node failed = in(State::deployFailed, "no work today");
  failed.instanceInfo = {{"image_source", "http://a"}, {"image_os_hash_algo", "md5"}, {"image_os_hash_value", "abcd"}};
  Deployment wanted{.uid = "u", .image = {.url = "http://a", .checksum = "abcd", .checksumType = "md5"}};
  CHECK(planProvisioning(failed, wanted, false) ==
        Plan::fail("Image provisioning failed (url: http://a, checksum: abcd): no work today"));

  wanted.image.url = "http://b";
  CHECK(planProvisioning(failed, wanted, false) == Plan::just(Kind::deploy));
  wanted.image.format = "live-iso";  // needs an interface that cannot be set in this state
  CHECK(planProvisioning(failed, wanted, false) == Plan::send(Verb::undeploy));
}

TEST_CASE("deprovisioning", "[plan]") {
  for (const State deployed : {State::active, State::deployFailed, State::deployWait})
    CHECK(planDeprovisioning(in(deployed), false) == Plan::just(Kind::tearDown));
  for (const State busy : {State::deleting, State::cleaning, State::cleanWait, State::deploying})
    CHECK(planDeprovisioning(in(busy), false) == extended);
  CHECK(planDeprovisioning(in(State::available), false) == Plan::just(Kind::reportTornDown));
  CHECK(planDeprovisioning(in(State::manageable), false) == Plan::send(Verb::provide));
  CHECK(planDeprovisioning(in(State::error), false) == Plan::fail("Deprovisioning failed"));
  CHECK(planDeprovisioning(in(State::error, "x"), true) == Plan::just(Kind::restartTearDown));
  CHECK(planDeprovisioning(in(State::cleanFailed, "x"), false) == Plan::fail("Cleaning failed: x"));
  CHECK(planDeprovisioning(in(State::cleanFailed, "x"), true) == Plan::send(Verb::manage));
  CHECK(planDeprovisioning(in(State::servicing), false) == Plan::giveUp("unhandled ironic state servicing"));
}

TEST_CASE("removal", "[plan]") {
  CHECK(planRemoval(in(State::enroll)) == Plan::just(Kind::deleteNode));
  CHECK(planRemoval(in(State::verifying)) == brief);
  CHECK(planRemoval(in(State::available)) == Plan::just(Kind::deleteNode));
  Node used = in(State::available);
  used.instanceUuid = "old";
  CHECK(planRemoval(used) == Plan::just(Kind::release));
  CHECK(planRemoval(in(State::deployWait)) == extended);
  CHECK(planRemoval(in(State::active)).kind == Kind::setMaintenance);
  CHECK(planRemoval(maintained(in(State::active))) == Plan::just(Kind::deleteNode));
}

TEST_CASE("power on", "[plan]") {
  CHECK(planPowerOn(powered("power on"), false).plan == complete);
  CHECK(planPowerOn(powered("power off", "power on"), false).plan == brief);
  CHECK(planPowerOn(powered("power off", "", "no mains"), false).plan ==
        Plan::fail("PowerOn operation failed: no mains"));
  CHECK(planPowerOn(powered("power off", "", "no mains"), true).targets == std::vector{PowerTarget::on});
}

TEST_CASE("power off", "[plan]") {
  using Targets = std::vector<PowerTarget>;
  const PowerOffFlags hard{}, soft{.mode = RebootMode::soft}, forcedSoft{.mode = RebootMode::soft, .force = true};
  CHECK(planPowerOff(powered("power off"), hard).plan == complete);
  CHECK(planPowerOff(powered("power on", "soft power off"), hard).plan == brief);
  CHECK(planPowerOff(powered("power on"), hard).targets == Targets{PowerTarget::off});
  CHECK(planPowerOff(powered("power on"), soft).targets == Targets{PowerTarget::softOff, PowerTarget::off});
  CHECK(planPowerOff(powered("power on", "", "x"), forcedSoft).targets == Targets{PowerTarget::off});
  CHECK(planPowerOff(powered("power on", "", "x"), hard).plan == Plan::fail("x"));
  CHECK(planPowerOff(powered("power on", "", "was aborted by request"), hard).targets == Targets{PowerTarget::off});

  Node never = powered("power on");
  never.disablePowerOff = true;
  CHECK(planPowerOff(never, soft).targets == Targets{PowerTarget::softReboot, PowerTarget::reboot});
  // The host says so, its record not yet.
  CHECK(planPowerOff(powered("power on"), {.neverOff = true}).targets == Targets{PowerTarget::reboot});
  CHECK(planPowerOff(powered("power on"), {.mode = RebootMode::soft, .neverOff = true}).targets ==
        Targets{PowerTarget::softReboot, PowerTarget::reboot});
}

TEST_CASE("inspection and cleaning end before power goes off", "[plan]") {
  CHECK(planPowerOff(in(State::inspectWait), {}).plan == Plan::send(Verb::abort));
  CHECK(planPowerOff(in(State::cleaning), {}).plan == extended);
  CHECK(planPowerOff(failedIn(State::inspectFailed, "manageable"), {}).plan == Plan::send(Verb::manage));
  CHECK(planPowerOff(failedIn(State::cleanWait, "available"), {}).plan == extended);
  CHECK(planPowerOff(failedIn(State::cleanWait, "available"), {.cleaningDisabled = true}).plan ==
        Plan::send(Verb::abort));
  CHECK(planPowerOff(failedIn(State::cleanWait, "manageable"), {}).plan == Plan::send(Verb::abort));
}

TEST_CASE("a failure of Ironic's that holds the power is led out of, or said", "[plan]") {
  CHECK(planPowerOff(failedIn(State::cleanFailed, "available"), {}).plan == Plan::send(Verb::manage));
  CHECK(planPowerOff(failedIn(State::adoptFailed, "active"), {}).plan == Plan::send(Verb::manage));
  Node held = failedIn(State::cleanFailed, "available");
  held.maintenance = true;
  held.fault = "clean failure";
  CHECK(planPowerOff(held, {}).plan == Plan::just(Plan::Kind::clearMaintenance));
  CHECK(planPowerOff(failedIn(State::deployFailed, "active"), {.force = true}).plan.kind == Plan::Kind::fail);
}

TEST_CASE("Ironic owns what it is at work on", "[plan]") {
  CHECK_FALSE(ironicOwns(in(State::active)));
  CHECK_FALSE(ironicOwns(in(State::manageable)));
  for (const State busy : {State::verifying, State::deployWait, State::cleaning, State::inspectWait, State::deleting})
    CHECK(ironicOwns(in(busy)));
  CHECK(ironicOwns(failedIn(State::deployFailed, "active")));
  CHECK(ironicOwns(powered("power off", "power on")));
  Node reserved = in(State::active);
  reserved.reservation = "conductor";
  CHECK(ironicOwns(reserved));
}

TEST_CASE("only nodes that boot over the network count as load", "[plan]") {
  CHECK(loadsNetwork(in(State::cleanWait)));
  for (const State calm : {State::active, State::adopting, State::available, State::cleanFailed})
    CHECK_FALSE(loadsNetwork(in(calm)));
  Node media = in(State::deploying);
  media.bootInterface = "redfish-virtual-media";
  CHECK_FALSE(loadsNetwork(media));
  media.bootInterface = "redfish-https";
  CHECK(loadsNetwork(media));
}

TEST_CASE("validation names what fails", "[plan]") {
  CHECK(validationProblem({{true, ""}, {true, ""}}).empty());
  CHECK(validationProblem({{false, "no boot"}, {false, "no image"}}) == "host validation error: no boot; no image");
  CHECK(validationProblem({{true, ""}, {std::nullopt, "unsupported"}}) == "host validation error: unsupported");
}
