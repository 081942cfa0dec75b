// What a backend does with a host from its registration to its removal (spec/baremetalhost.md §11). Each call takes all
// that it needs in the struct named after it, and may be repeated at any time.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"
#include "coordinator/host/progress.hpp"

#include <optional>
#include <string>

namespace ingot::coordinator::host {

struct RegisterData {
  api::ProvisioningState state = api::ProvisioningState::none;
  std::string bootMode;               // status.provisioning.bootMode: UEFI | UEFISecureBoot | legacy
  std::string automatedCleaningMode;  // metadata | disabled
  bool leavesCleaning = false;        // what is on record of it is left: deprovision() decides
  std::string cpuArchitecture;
  bool hasCustomDeploy = false;
  bool disablePowerOff = false;
  std::optional<api::Image> currentImage;  // for adoption
  bool mayRunElsewhere = false;            // what somebody beside the BMC boots: BootLendingBackend is to know of it
  std::optional<api::RootDeviceHints> rootDeviceHints;
  std::vector<std::string> bootInterfaceMacs;  // further boot NICs known from HardwareData
  bool inspectionDisabled = false;
  bool fastInspection = false;
  bool servicing = false;
  std::vector<api::Nic> nics;               // every network card known from inspection: each becomes a port
  base::Secret preprovisioningNetworkData;  // YAML or JSON; empty: none
  bool credentialsChanged = false;          // since the backend was told of them last
  bool restartOnFailure = false;            // the user has seen the failure: try again instead of showing it
};

struct Registered {
  Progress progress;
  std::string provisionerId;     // whenever known, also while the backend is at work
  bool credentialsTold = false;  // the backend has taken the present credentials in this call
};

struct InspectData {
  std::string bootMode, cpuArchitecture, inspectionMode;  // agent | fast | disabled
  bool restartOnFailure = false;
  bool refresh = false;      // inspect anew, also when there is an inventory already
  bool forceReboot = false;  // abort an inspection that waits for its ramdisk
};

// Done is what was found.
using Inspected = std::variant<Working, api::HardwareDetails, Refused>;

struct AdoptData {
  api::ProvisioningState state = api::ProvisioningState::none;
  bool restartOnFailure = false;
};

struct PrepareData {
  std::optional<api::RaidConfig> targetRaid, actualRaid;
  std::optional<api::RootDeviceHints> rootDeviceHints;
  bool unprepared = false;  // the settings are not applied yet: begin; else wait for what has begun
  bool restartOnFailure = false;
};

// Read lazily: most passes of a provisioning host need none of it. What it throws goes through the
// backend as it is.
class HostConfigData {
 public:
  virtual ~HostConfigData() = default;
  [[nodiscard]] virtual base::Task<base::Secret> userData() = 0;
  [[nodiscard]] virtual base::Task<base::Secret> networkData() = 0;
  [[nodiscard]] virtual base::Task<base::Secret> metaData() = 0;
};

struct ProvisionData {
  std::optional<api::Image> image;
  std::string customDeployMethod;
  std::string bootMode, cpuArchitecture;
  std::optional<api::RootDeviceHints> rootDeviceHints;
  base::Secret imagePullSecret;
  HostConfigData* hostConfig = nullptr;  // lent for the call
  std::optional<base::WallTime> begun;   // this attempt at it
  bool forceReboot = false;              // abort a deployment that waits for its ramdisk
};

struct DeprovisionData {
  std::string automatedCleaningMode;
  bool restartOnFailure = false;
  bool erasedElsewhere = false;  // whatever the mode, the disks are left as they are (LendingBackend)
};

class LifecycleBackend {
 public:
  virtual ~LifecycleBackend() = default;

  [[nodiscard]] virtual base::Task<Registered> registerHost(RegisterData data) = 0;
  // False: it has no way of its own; somebody beside the BMC does it, whatever the mode (out_of_band.hpp).
  [[nodiscard]] virtual bool inspects() const { return true; }
  [[nodiscard]] virtual base::Task<Inspected> inspectHardware(InspectData data) = 0;
  // The backend is at no work that an inspection by somebody else would leave behind.
  [[nodiscard]] virtual base::Task<bool> isAtRest() { co_return true; }
  // Makes a deployment known that the backend has forgotten; the disk is not touched.
  [[nodiscard]] virtual base::Task<Progress> adopt(AdoptData data) = 0;
  [[nodiscard]] virtual base::Task<Progress> prepare(PrepareData data) = 0;
  [[nodiscard]] virtual base::Task<Progress> provision(ProvisionData data) = 0;
  [[nodiscard]] virtual base::Task<Progress> deprovision(DeprovisionData data) = 0;
  [[nodiscard]] virtual base::Task<Progress> remove() = 0;  // from the backend; Done once a call finds no node
};

// What a machine is lent for.
enum class Loan { toErase, toBoot };

// For a host whose disks somebody beside the BMC erases after its deployment was taken off, in place of the backend.
class LendingBackend {
 public:
  virtual ~LendingBackend() = default;

  // The deployment was taken off without cleaning (DeprovisionData::erasedElsewhere), and nobody has said since that
  // the disks are erased. The backend keeps this itself: it outlasts whoever asked for it.
  [[nodiscard]] virtual base::Task<bool> owesErasure() { co_return false; }
  // Done: the backend leaves the machine alone from now on, its power included. Asked where an erasure, or an ejection
  // (BootLendingBackend), is owed.
  [[nodiscard]] virtual base::Task<Progress> lend(Loan loan) {
    static_cast<void>(loan);
    co_return Done{};
  }
  // Done: the machine is the backend's again, and nothing is owed any more.
  [[nodiscard]] virtual base::Task<Progress> takeBack() { co_return Done{}; }
  // The backend cleans after all: never Done; nothing is owed any more, and deprovision() goes on with it.
  [[nodiscard]] virtual base::Task<Progress> cleanAfterAll() { co_return Working{}; }
};

// The machine is lent, to be booted by whoever asked.
struct Lent {
  friend bool operator==(const Lent&, const Lent&) = default;
};
// It is not, and may not be in a moment: nobody knows what others do with it until `wait` is over.
struct NotLent {
  Working wait;
  friend bool operator==(const NotLent&, const NotLent&) = default;
};
using BootLoan = std::variant<Working, Done, Refused, Lent, NotLent>;

// For a host that somebody beside the BMC boots from a live ISO, in place of the backend (docs/decisions/0038). How far
// that has come the backend keeps itself: it outlasts whoever asked for it.
class BootLendingBackend {
 public:
  virtual ~BootLendingBackend() = default;

  [[nodiscard]] virtual bool lendsToBoot() const { return false; }
  // Done: the backend knows the host as deployed with this image, and the machine is its own again.
  [[nodiscard]] virtual base::Task<BootLoan> lendToBoot(ProvisionData data) {
    static_cast<void>(data);
    co_return Lent{};
  }
  // Nobody is to boot it any more: this image was, as was proved, or the host is deployed already.
  [[nodiscard]] virtual base::Task<bool> isPastBoot(api::Image image) {
    static_cast<void>(image);
    co_return false;
  }
  // What keeps a lent machine from whoever it is lent to leaves it as it is: at most the backend takes note of this
  // power, which was proved; nullopt: none was.
  [[nodiscard]] virtual base::Task<bool> leavesLentAsItIs(std::optional<bool> provedOn) {
    static_cast<void>(provedOn);
    co_return false;
  }
  // The lent machine is on and runs the image, as was proved: never Done, lendToBoot() goes on with it.
  [[nodiscard]] virtual base::Task<Progress> noteBooted() { co_return Working{}; }
  // The machine was lent to be booted, and nobody has said since that what it booted from is out again. Not while the
  // backend has failed work of its own to end first: deprovision() does.
  [[nodiscard]] virtual base::Task<bool> owesEjection() { co_return false; }
  // It is, and the machine, which is lent, is off. Done: nothing is owed any more, and deprovision() goes on.
  [[nodiscard]] virtual base::Task<Progress> noteEjected() { co_return Done{}; }
};

// For a node whose removal is given up: the machine is nobody's from then on.
class AbandonBackend {
 public:
  virtual ~AbandonBackend() = default;

  // Once: has the backend keep its hands off the machine, `reason` told to whoever looks at the node. "": it does, or
  // never switches a machine by itself; else why not, for people. Never throws ProvisionerError.
  [[nodiscard]] virtual base::Task<std::string> abandon(std::string reason) {
    static_cast<void>(reason);
    co_return "";
  }
};

}  // namespace ingot::coordinator::host
