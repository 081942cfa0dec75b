// The operations of a session, one a file: a pure plan (node and wishes → step), and a function that carries it out.
#pragma once

#include "coordinator/host/ironic/instance.hpp"
#include "coordinator/host/ironic/ownership.hpp"
#include "coordinator/host/ironic/plan.hpp"
#include "coordinator/host/ironic/session.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

// --- register: the node exists, knows its BMC and leaves "enroll" (spec/ironic.md §6.1). Runs in every reconcile, so a
// node that is as wanted costs no request. What it writes is in register.hpp.

struct RegisterFlags {
  bool credentialsChanged = false;
  bool restartOnFailure = false;
};

struct Configure {  // bring the record up to date with how the host is to be used
  friend bool operator==(const Configure&, const Configure&) = default;
};
using RegistrationPlan = PlanOf<Complete, Configure>;

// What comes after the record says who the node belongs to and how it is reached.
[[nodiscard]] RegistrationPlan planRegistration(const ironic::Node& node, RegisterFlags flags);
[[nodiscard]] base::Task<Registered> registerHost(Session& session, RegisterData data);

// --- inspect (spec/ironic.md §6.3) ---

struct InspectFlags {
  bool restartOnFailure = false;
  bool refresh = false;      // also when there is an inventory already
  bool forceReboot = false;  // do not wait for the ramdisk any longer
  bool fast = false;         // out of band
  std::string interface;     // that inspects then; "": any
};

struct StartInspection {
  friend bool operator==(const StartInspection&, const StartInspection&) = default;
};
struct AbortInspection {
  friend bool operator==(const AbortInspection&, const AbortInspection&) = default;
};
struct ReadInventory {
  friend bool operator==(const ReadInventory&, const ReadInventory&) = default;
};
using InspectionPlan = PlanOf<StartInspection, AbortInspection, ReadInventory>;

[[nodiscard]] InspectionPlan planInspection(const ironic::Node& node, InspectFlags flags);
[[nodiscard]] base::Task<Inspected> inspect(Session& session, InspectData data);

// What Ironic's inspection stored → HardwareDetails (§7). Pure; never throws: what is missing or of an unexpected type
// reads as nothing.
[[nodiscard]] api::HardwareDetails hardwareDetails(const ironic::Inventory& inventory);

// --- adopt: a node of ours that Ironic forgot is made known as deployed; its disk is not touched (§6.5) ---

using AdoptionPlan = PlanOf<Complete>;

[[nodiscard]] AdoptionPlan planAdoption(const ironic::Node& node, const AdoptData& data);
[[nodiscard]] base::Task<Progress> adopt(Session& session, AdoptData data);

// --- prepare, before a host becomes available (§6.6). No step needs cleaning yet (RAID, BIOS and firmware settings
// have none here), so all there is to do is to get a node out of a failed or running cleaning.

using PreparationPlan = PlanOf<Complete>;

// The volumes that are wanted are not those that are recorded. A list that is absent from `target` asks for nothing, an
// empty one for the removal of all volumes of its kind. Pure.
[[nodiscard]] bool changesVolumes(const std::optional<api::RaidConfig>& target,
                                  const std::optional<api::RaidConfig>& actual);

[[nodiscard]] PreparationPlan planPreparation(const ironic::Node& node, bool restartOnFailure);
[[nodiscard]] base::Task<Progress> prepare(Session& session, PrepareData data);

// --- provision: deployment of an image (§6.8) ---

struct Deploy {
  friend bool operator==(const Deploy&, const Deploy&) = default;
};
struct ReportDeployed {
  friend bool operator==(const ReportDeployed&, const ReportDeployed&) = default;
};
using ProvisioningPlan = PlanOf<Deploy, ReportDeployed>;

[[nodiscard]] ProvisioningPlan planProvisioning(const ironic::Node& node, const Deployment& wanted, bool forceReboot);
[[nodiscard]] base::Task<Progress> provision(Session& session, ProvisionData data);

// The node's record says what is wanted, and Ironic finds nothing wrong with it. The phase is what stays on record of
// an agent that boots the machine. Else when to try again, or what is wrong.
[[nodiscard]] base::Task<std::expected<NodePtr, Progress>> setUp(Session& session, NodePtr node, Deployment wanted,
                                                                 BootPhase phase);
// Done: the node is active, and bears no mark of an agent that did not have it boot.
[[nodiscard]] base::Task<Progress> reportDeployed(Session& session, NodePtr node, std::string image);
// What `data` ask for, and whether the node has changed its provision state since that was first asked for.
[[nodiscard]] Deployment wantedOn(Session& session, const ironic::Node& node, const ProvisionData& data);
[[nodiscard]] base::Task<Updated> putBootPhase(Session& session, NodePtr node, BootPhase phase);
// Leads the node out of the state in which earlier work left it. A cleaning that failed during this deployment is
// reported and counted, or it would be retried for ever without anybody noticing.
[[nodiscard]] CommonStep planAfterCleaning(const ironic::Node& node, const Deployment& wanted);

// "" when Ironic can boot and deploy, else the text for the user. Pure.
[[nodiscard]] std::string validationProblem(const ironic::Validation& validation);

// --- deprovision: taking a deployment off a host again, with the cleaning that follows (§6.9) ---

struct TearDown {
  friend bool operator==(const TearDown&, const TearDown&) = default;
};
struct RestartTearDown {
  friend bool operator==(const RestartTearDown&, const RestartTearDown&) = default;
};
struct GiveUpAdoption {  // nobody has taken out what an agent booted, and Ironic cannot do it with a tear-down
  friend bool operator==(const GiveUpAdoption&, const GiveUpAdoption&) = default;
};
struct SwitchOff {  // what was not taken out runs on otherwise, where nothing is cleaned
  friend bool operator==(const SwitchOff&, const SwitchOff&) = default;
};
struct ReportTornDown {
  friend bool operator==(const ReportTornDown&, const ReportTornDown&) = default;
};
using DeprovisioningPlan = PlanOf<TearDown, RestartTearDown, GiveUpAdoption, SwitchOff, ReportTornDown>;

// Of a node whose fault says so: each try counts for a deletion. Pure.
[[nodiscard]] Refused bmcLost(const ironic::Node& node);
[[nodiscard]] DeprovisioningPlan planDeprovisioning(const ironic::Node& node, bool restartOnFailure);
[[nodiscard]] base::Task<Progress> deprovision(Session& session, DeprovisionData data);

// --- remove a node from Ironic; the machine itself is left as it is (§6.10) ---

struct Release {  // take a stale instance off the node, then delete it
  friend bool operator==(const Release&, const Release&) = default;
};
struct SetMaintenance {
  std::string reason;
  friend bool operator==(const SetMaintenance&, const SetMaintenance&) = default;
};
struct DeleteNode {
  friend bool operator==(const DeleteNode&, const DeleteNode&) = default;
};
using RemovalPlan = PlanOf<Release, SetMaintenance, DeleteNode>;

[[nodiscard]] RemovalPlan planRemoval(const ironic::Node& node);
// Done once Ironic says that there is no such node.
[[nodiscard]] base::Task<Progress> remove(Session& session);
// --- a torn-down node lent to an agent, which erases the disks (docs/decisions/0022) ---
// What keeps the node from being lent, for people; "": nothing. Pure.
[[nodiscard]] std::string whyNotLent(const ironic::Node& node, Loan loan);
// The maintenance that `then` waits for, for people. Pure.
[[nodiscard]] std::string whyHeld(const ironic::Node& node, std::string_view then);
// Somebody has put the node into maintenance who is neither Ironic nor we. Pure.
[[nodiscard]] bool isHeldByAnother(const ironic::Node& node);
[[nodiscard]] base::Task<bool> owesErasure(Session& session);
// Decides on what the node is now: a record may be half a minute old, and somebody have his hands in the machine since.
[[nodiscard]] base::Task<Working> beginLoan(Session& session, Loan loan);
[[nodiscard]] base::Task<Progress> lend(Session& session, Loan loan);
[[nodiscard]] base::Task<Progress> takeBack(Session& session);
[[nodiscard]] base::Task<Progress> cleanAfterAll(Session& session);

// --- a node whose machine an agent boots from a live ISO, and that becomes active without a deployment
// (docs/decisions/0038) ---
struct LendToBoot {
  friend bool operator==(const LendToBoot&, const LendToBoot&) = default;
};
struct LetBoot {  // the machine is lent
  friend bool operator==(const LetBoot&, const LetBoot&) = default;
};
struct WaitToLend {  // until whyNotLent() has ended
  friend bool operator==(const WaitToLend&, const WaitToLend&) = default;
};
using BootLoanPlan = PlanOf<Deploy, LendToBoot, LetBoot, WaitToLend, ReportDeployed>;  // Deploy: put it on record
[[nodiscard]] BootLoanPlan planBootLoan(const ironic::Node& node, const Deployment& wanted);
[[nodiscard]] base::Task<BootLoan> lendToBoot(Session& session, ProvisionData data);
[[nodiscard]] base::Task<bool> isPastBoot(Session& session, api::Image image);
[[nodiscard]] base::Task<bool> leavesLentAsItIs(Session& session, std::optional<bool> provedOn);
[[nodiscard]] base::Task<Progress> noteBooted(Session& session);
[[nodiscard]] base::Task<bool> owesEjection(Session& session);
[[nodiscard]] base::Task<Progress> noteEjected(Session& session);

// Puts a node that cannot be removed into maintenance: Ironic's power sync leaves its machine alone then. "" or why
// not.
[[nodiscard]] base::Task<std::string> abandon(Session& session, std::string reason);

// --- capacity: how many hosts may be at work at once (§6.14): every ramdisk boot loads the provisioning network ---

// The node boots its ramdisk over the network now. Pure.
[[nodiscard]] bool loadsNetwork(const ironic::Node& node);
// False: as many as allowed are at work. True: this host is counted for half a minute, or until the sweep has seen it.
[[nodiscard]] base::Task<bool> acquireSlot(Session& session);

}  // namespace ingot::coordinator::host::ironic_backend
