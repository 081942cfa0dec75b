// The decisions, row by row: state of the node and wishes → what comes next.
#include "coordinator/host/ironic/operations.hpp"
#include "coordinator/host/ironic/ownership.hpp"
#include "coordinator/host/ironic/power.hpp"

#include "tests/support/ironic/owner.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::host;
using namespace ingot::coordinator::host::ironic_backend;
using HostState = api::ProvisioningState;
using ironic::Node;
using ironic::PowerTarget;
using ironic::State;
using ironic::Verb;

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

// A step that this operation does not have does not compile.
template <class Plan, class Step>
bool is(const Plan& plan, const Step& step) {
  const auto* planned = std::get_if<Step>(&plan);
  return planned != nullptr && *planned == step;
}

const Wait brief{Pause::brief}, extended{Pause::extended};

}  // namespace

TEST_CASE("registration moves a node out of enroll and leaves busy ones alone", "[plan]") {
  CHECK(is(planRegistration(in(State::enroll), {}), Send{Verb::manage}));
  CHECK(is(planRegistration(in(State::enroll, "bad password"), {}), Fail{"bad password"}));
  CHECK(is(planRegistration(in(State::enroll, "bad password"), {.credentialsChanged = true}), Send{Verb::manage}));
  CHECK(is(planRegistration(in(State::enroll, "bad password"), {.restartOnFailure = true}), Send{Verb::manage}));
  CHECK(is(planRegistration(in(State::verifying), {}), brief));
  for (const State busy : {State::cleanWait, State::cleaning, State::deployWait, State::deploying, State::inspecting})
    CHECK(is(planRegistration(in(busy), {}), Complete{}));
  for (const State other : {State::manageable, State::active, State::inspectWait, State::deployFailed})
    CHECK(is(planRegistration(in(other), {}), Configure{}));
}

TEST_CASE("inspection", "[plan]") {
  CHECK(is(planInspection(in(State::available), {}), Send{Verb::manage}));
  CHECK(is(planInspection(in(State::manageable), {}), ReadInventory{}));
  CHECK(is(planInspection(in(State::manageable), {.refresh = true}), StartInspection{}));
  CHECK(is(planInspection(in(State::inspecting), {}), extended));
  CHECK(is(planInspection(in(State::inspectWait), {.fast = true}), brief));
  CHECK(is(planInspection(in(State::inspectWait), {.forceReboot = true}), AbortInspection{}));
  CHECK(is(planInspection(in(State::inspectFailed, "Timeout"), {}), Fail{"Timeout"}));
  CHECK(is(planInspection(in(State::inspectFailed), {}), Fail{"Inspection failed"}));
  CHECK(is(planInspection(in(State::inspectFailed, "Timeout"), {.restartOnFailure = true}), StartInspection{}));
  CHECK(is(planInspection(in(State::inspectFailed, "Inspection was aborted by request."), {}), StartInspection{}));
  CHECK(is(planInspection(in(State::deploying), {}), GiveUp{"unexpected provision state deploying"}));
}

TEST_CASE("what another interface found is not what an inspection is to find", "[plan]") {
  const auto planFor = [](State state, InspectFlags flags) {
    Node node = in(state, state == State::inspectFailed ? "Timeout" : "");
    node.inspectInterface = "agent";
    return planInspection(node, std::move(flags));
  };
  CHECK(is(planFor(State::manageable, {.interface = "redfish"}), StartInspection{}));
  CHECK(is(planFor(State::manageable, {.interface = "agent"}), ReadInventory{}));
  CHECK(is(planFor(State::inspectFailed, {.interface = "redfish"}), Fail{"Timeout"}));
  CHECK(is(planFor(State::inspectFailed, {.restartOnFailure = true, .interface = "redfish"}), Send{Verb::manage}));
  CHECK(is(planFor(State::inspectFailed, {.restartOnFailure = true, .interface = "agent"}), StartInspection{}));
}

TEST_CASE("adoption", "[plan]") {
  CHECK(is(planAdoption(in(State::enroll), {.state = HostState::provisioned}),
           GiveUp{"invalid state for adopt: enroll"}));
  CHECK(is(planAdoption(in(State::manageable), {.state = HostState::provisioned}), Send{Verb::adopt}));
  CHECK(is(planAdoption(in(State::manageable), {.state = HostState::deprovisioning}), Complete{}));
  CHECK(is(planAdoption(in(State::adopting), {.state = HostState::provisioned}), brief));
  CHECK(is(planAdoption(in(State::adoptFailed, "no"), {.state = HostState::provisioned}),
           Fail{"Host adoption failed: no"}));
  CHECK(is(planAdoption(in(State::adoptFailed, "no"), {.state = HostState::provisioned, .restartOnFailure = true}),
           Send{Verb::adopt}));
  CHECK(is(planAdoption(in(State::active), {.state = HostState::provisioned}), Complete{}));
  CHECK(is(planAdoption(maintained(in(State::active)), {.state = HostState::provisioned}), ClearMaintenance{}));
  CHECK(
      is(planAdoption(maintained(in(State::active), "power failure"), {.state = HostState::provisioned}), Complete{}));
}

TEST_CASE("preparation", "[plan]") {
  CHECK(is(planPreparation(in(State::available), false), Complete{}));
  CHECK(is(planPreparation(in(State::manageable), false), Complete{}));
  CHECK(is(planPreparation(in(State::cleanWait), false), extended));
  CHECK(is(planPreparation(in(State::cleanFailed, "no disk"), false), Fail{"no disk"}));
  CHECK(is(planPreparation(in(State::cleanFailed), false), Fail{"Cleaning failed"}));
  CHECK(is(planPreparation(in(State::cleanFailed), true), Send{Verb::manage}));
  CHECK(is(planPreparation(maintained(in(State::cleanFailed)), true), ClearMaintenance{}));
  CHECK(is(planPreparation(in(State::active), false), GiveUp{"have unexpected ironic node state active"}));
}

TEST_CASE("RAID volumes that would have to be made or removed are told from those that are there", "[plan]") {
  using Lists = std::optional<api::RaidConfig>;
  const auto hardware = [](int n) {
    api::RaidConfig out;
    out.hardwareRAIDVolumes.emplace(n, api::HardwareRaidVolume{.level = "1"});
    return out;
  };
  const auto software = [](int n, api::RaidConfig out = {}) {
    out.softwareRAIDVolumes.emplace(n, api::SoftwareRaidVolume{.level = "1"});
    return out;
  };
  struct Row {
    Lists target, actual;
    bool changes;
  };
  const Row rows[] = {
      {std::nullopt, std::nullopt, false},
      {hardware(1), std::nullopt, true},
      {hardware(1), hardware(1), false},
      {hardware(0), std::nullopt, true},  // []: all hardware volumes go
      {hardware(0), hardware(1), true},
      {hardware(0), hardware(0), false},
      {software(1), std::nullopt, true},
      {software(1), software(1), false},
      {software(0), software(1), true},  // spec.raid was removed
      {software(0), software(0), false},
      {software(0), api::RaidConfig{}, true},  // what was there before the last deprovisioning is not known
      {software(0, hardware(1)), hardware(1), false},
      {software(1), hardware(1), true},
  };
  for (const Row& row : rows) {
    INFO(&row - rows);
    CHECK(changesVolumes(row.target, row.actual) == row.changes);
  }
}

TEST_CASE("provisioning", "[plan]") {
  const Deployment wanted{.uid = "u", .image = {.url = "http://a", .checksum = "abcd", .checksumType = "md5"}};
  CHECK(is(planProvisioning(in(State::manageable), wanted, false), Send{Verb::provide}));
  CHECK(is(planProvisioning(in(State::available), wanted, false), Deploy{}));
  CHECK(is(planProvisioning(in(State::active), wanted, false), ReportDeployed{}));
  CHECK(is(planProvisioning(in(State::cleanFailed), wanted, false), Send{Verb::manage}));
  CHECK(is(planProvisioning(maintained(in(State::cleanFailed)), wanted, false), ClearMaintenance{}));
  CHECK(is(planProvisioning(in(State::deployWait), wanted, false), extended));
  CHECK(is(planProvisioning(in(State::deployWait), wanted, true), Send{Verb::undeploy}));
  CHECK(is(planProvisioning(in(State::cleaning), wanted, true), extended));
}

TEST_CASE("a node that holds another image is not reported as deployed", "[plan]") {
  const auto planFor = [](json::Object told, api::Image image) {
    Node node = in(State::active);
    node.instanceInfo = std::move(told);
    return planProvisioning(node, Deployment{.uid = "u", .image = std::move(image)}, false);
  };
  const api::Image disk{.url = "http://b", .checksum = "abcd"}, iso{.url = "http://b", .format = "live-iso"};
  CHECK(std::holds_alternative<Fail>(planFor({{"image_source", "http://a"}}, disk)));
  CHECK(is(planFor({{"image_source", "http://b"}}, disk), ReportDeployed{}));
  CHECK(std::holds_alternative<Fail>(planFor({{"boot_iso", "http://a"}}, iso)));
  CHECK(is(planFor({{"boot_iso", "http://b"}}, iso), ReportDeployed{}));
  CHECK(is(planFor({}, disk), ReportDeployed{}));                            // adopted: Ironic was never told
  CHECK(is(planFor({{"image_source", "http://a"}}, {}), ReportDeployed{}));  // a custom deployment without one
  CHECK(is(planFor({{"image_source", "oci://r/os@sha256:1"}}, {.url = "oci://r/os:1"}), ReportDeployed{}));
}

TEST_CASE("a failed deployment is an error for the same image and a new start for another", "[plan]") {
  Node failed = in(State::deployFailed, "no work today");
  failed.instanceInfo = {{"image_source", "http://a"}, {"image_os_hash_algo", "md5"}, {"image_os_hash_value", "abcd"}};
  Deployment wanted{.uid = "u", .image = {.url = "http://a", .checksum = "abcd", .checksumType = "md5"}};
  CHECK(is(planProvisioning(failed, wanted, false),
           Fail{"Image provisioning failed (url: http://a, checksum: abcd): no work today"}));

  wanted.image.url = "http://b";
  CHECK(is(planProvisioning(failed, wanted, false), Deploy{}));
  wanted.image.format = "live-iso";  // needs an interface that cannot be set in this state
  CHECK(is(planProvisioning(failed, wanted, false), Send{Verb::undeploy}));
}

TEST_CASE("a deployment that failed without a reason is an error too, once Ironic has let go of the node", "[plan]") {
  Node failed = in(State::deployFailed);
  failed.instanceInfo = {{"image_source", "http://a"}, {"image_os_hash_algo", "md5"}, {"image_os_hash_value", "abcd"}};
  const Deployment wanted{.uid = "u", .image = {.url = "http://a", .checksum = "abcd", .checksumType = "md5"}};
  CHECK(is(planProvisioning(failed, wanted, false),
           Fail{"Image provisioning failed (url: http://a, checksum: abcd): Ironic gives no reason"}));
  failed.reservation = "conductor";
  CHECK(is(planProvisioning(failed, wanted, false), brief));
}

TEST_CASE("a cleaning that fails after a deployment has begun fails the deployment; one from before is led out of",
          "[plan]") {
  Node failed = in(State::cleanFailed, "no disk");
  Deployment wanted{.uid = "u", .image = {.url = "http://a", .checksum = "abcd"}};
  CHECK(is(planProvisioning(failed, wanted, false), Send{Verb::manage}));
  wanted.moved = true;
  CHECK(is(planProvisioning(failed, wanted, false), Fail{"Cleaning failed: no disk"}));
  CHECK(is(planProvisioning(maintained(failed, "clean failure"), wanted, false), Fail{"Cleaning failed: no disk"}));
}

TEST_CASE("deprovisioning", "[plan]") {
  for (const State deployed : {State::active, State::deployFailed, State::deployWait})
    CHECK(is(planDeprovisioning(in(deployed), false), TearDown{}));
  for (const State busy : {State::deleting, State::cleaning, State::cleanWait, State::deploying})
    CHECK(is(planDeprovisioning(in(busy), false), extended));
  CHECK(is(planDeprovisioning(in(State::available), false), ReportTornDown{}));
  CHECK(is(planDeprovisioning(in(State::manageable), false), Send{Verb::provide}));
  CHECK(is(planDeprovisioning(in(State::error), false), Fail{"Deprovisioning failed"}));
  CHECK(is(planDeprovisioning(in(State::error, "x"), true), RestartTearDown{}));
  CHECK(is(planDeprovisioning(in(State::cleanFailed, "x"), false), Fail{"Cleaning failed: x"}));
  CHECK(is(planDeprovisioning(in(State::cleanFailed, "x"), true), Send{Verb::manage}));
  CHECK(is(planDeprovisioning(in(State::servicing), false), GiveUp{"unhandled ironic state servicing"}));
}

TEST_CASE("removal", "[plan]") {
  CHECK(is(planRemoval(in(State::enroll)), DeleteNode{}));
  CHECK(is(planRemoval(in(State::verifying)), brief));
  CHECK(is(planRemoval(in(State::available)), DeleteNode{}));
  Node used = in(State::available);
  used.instanceUuid = "old";
  CHECK(is(planRemoval(used), Release{}));
  CHECK(is(planRemoval(in(State::deployWait)), extended));
  CHECK(std::holds_alternative<SetMaintenance>(planRemoval(in(State::active))));
  CHECK(is(planRemoval(maintained(in(State::active))), DeleteNode{}));
}

TEST_CASE("power on", "[plan]") {
  CHECK(is(planPowerOn(powered("power on"), {}), Complete{}));
  CHECK(is(planPowerOn(powered("power on"), {.despiteRecord = true}), ChangePower{{PowerTarget::on}}));
  CHECK(is(planPowerOn(powered("power off", "power on"), {}), brief));
  CHECK(is(planPowerOn(powered("power on", "power on"), {.despiteRecord = true}), brief));
  CHECK(is(planPowerOn(powered("power off", "", "no mains"), {}), Fail{"PowerOn operation failed: no mains"}));
  CHECK(is(planPowerOn(powered("power off", "", "no mains"), {.force = true}), ChangePower{{PowerTarget::on}}));
}

TEST_CASE("power off", "[plan]") {
  const PowerOffFlags hard{}, soft{.mode = RebootMode::soft}, forcedSoft{.mode = RebootMode::soft, .force = true};
  CHECK(is(planPowerOff(powered("power off"), hard), Complete{}));
  CHECK(is(planPowerOff(powered("power on", "soft power off"), hard), brief));
  CHECK(is(planPowerOff(powered("power on"), hard), ChangePower{{PowerTarget::off}}));
  CHECK(is(planPowerOff(powered("power on"), soft), ChangePower{{PowerTarget::softOff, PowerTarget::off}}));
  CHECK(is(planPowerOff(powered("power on", "", "x"), forcedSoft), ChangePower{{PowerTarget::off}}));
  CHECK(is(planPowerOff(powered("power on", "", "x"), hard), Fail{"x"}));
  CHECK(is(planPowerOff(powered("power on", "", "was aborted by request"), hard), ChangePower{{PowerTarget::off}}));

  Node never = powered("power on");
  never.disablePowerOff = true;
  CHECK(is(planPowerOff(never, soft), ChangePower{{PowerTarget::softReboot, PowerTarget::reboot}}));
  // The host says so, its record not yet.
  CHECK(is(planPowerOff(powered("power on"), {.neverOff = true}), ChangePower{{PowerTarget::reboot}}));
  CHECK(is(planPowerOff(powered("power on"), {.mode = RebootMode::soft, .neverOff = true}),
           ChangePower{{PowerTarget::softReboot, PowerTarget::reboot}}));
}

TEST_CASE("what holds a power change is named, with what to do", "[plan]") {
  using namespace std::chrono_literals;
  Node node = powered("power on");
  node.uuid = "n-1";
  CHECK(powerObstacle(node, "", 10min).empty());
  CHECK(powerObstacle(node, "HTTP 409: busy", 1min) ==
        "Ironic refuses each request for node n-1 (HTTP 409: busy); if that does not end, restart its conductor");
  node.reservation = "conductor-1";
  CHECK(powerObstacle(node, "HTTP 409: busy", 1min) ==
        "node n-1 is locked by Ironic's conductor conductor-1; if that one has crashed, restart it: it frees its locks "
        "when it starts");
  node.targetPowerState = "soft power off";  // taken: a shutdown may last
  CHECK(powerObstacle(node, "", 4min).empty());
  CHECK_FALSE(powerObstacle(node, "", 5min).empty());
}

TEST_CASE("inspection and cleaning end before power goes off", "[plan]") {
  CHECK(is(planPowerOff(in(State::inspectWait), {}), Send{Verb::abort}));
  CHECK(is(planPowerOff(in(State::cleaning), {}), extended));
  CHECK(is(planPowerOff(failedIn(State::inspectFailed, "manageable"), {}), Send{Verb::manage}));
  CHECK(is(planPowerOff(failedIn(State::cleanWait, "available"), {}), extended));
  CHECK(is(planPowerOff(failedIn(State::cleanWait, "available"), {.cleaningDisabled = true}), Send{Verb::abort}));
  CHECK(is(planPowerOff(failedIn(State::cleanWait, "manageable"), {}), Send{Verb::abort}));
}

TEST_CASE("a failure of Ironic's that holds the power is led out of, or said", "[plan]") {
  CHECK(is(planPowerOff(failedIn(State::cleanFailed, "available"), {}), Send{Verb::manage}));
  CHECK(is(planPowerOff(failedIn(State::adoptFailed, "active"), {}), Send{Verb::manage}));
  Node held = failedIn(State::cleanFailed, "available");
  held.maintenance = true;
  held.fault = "clean failure";
  CHECK(is(planPowerOff(held, {}), ClearMaintenance{}));
  CHECK(std::holds_alternative<Fail>(planPowerOff(failedIn(State::deployFailed, "active"), {.force = true})));
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

TEST_CASE("ownership of every state is as the architecture says", "[plan]") {
  const auto states = namesOf(State{});
  for (const auto& entry : states) {
    if (entry.value == State::unknown) continue;
    for (const char* target : {"", "active"}) {
      INFO(entry.name << ", target " << target);
      const json::Object record{{"provision_state", std::string(entry.name)}, {"target_provision_state", target}};
      CHECK(ironicOwns(json::decode<Node>(json::Value(record))) == !tests::whyIronicOwns(record).empty());
    }
  }
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
