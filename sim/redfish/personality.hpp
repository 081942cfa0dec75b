// How the BMCs of products differ from what Redfish says (spec/bmc.md §16), as a table. The resources are written as
// the plain service has them (Systems/1, Managers/1, Chassis/1); a product's own paths are put in at the edge of the
// service.
#pragma once

#include "json/value.hpp"
#include "sim/machine/power.hpp"
#include "sim/machine/spec.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ingot::sim::redfish {

enum class Habit {
  // How it is asked.
  refusesLostSessionsWith403,  // and not with 401
  weakTagsDoNotMatch,          // ETags are told weak and have to come back strong
  wantsIfMatch,                // a PATCH without it is answered 428
  expandsCollections,          // $expand=.($levels=1)
  newTasksAreNotFound,         // for some seconds
  // Resources.
  pathsEndInSlash,     // as they are linked to
  namesNoVendor,       // in its service root
  skuIsSerial,         // SerialNumber is that of the board
  importsProfiles,     // server configuration profiles (SCP) of Dell
  logsAreOfManager,    // and not of the system
  mediaAreOfSystem,    // and not of the manager
  hasSensorsOnly,      // in place of Thermal and Power
  hasLeakDetector,     // below its ThermalSubsystem
  resetsByActionInfo,  // no list of values at the action
  erasesNothing,       // its drives have no action
  bootIsInSettings,    // targets of an override are listed and taken at the settings object only
  // Events.
  hasNoEventStream,          // they are pushed to subscribers alone
  wantsEventTypes,           // of each subscription
  refusesVerifyCertificate,  // in a subscription, as a property that it does not know
  // Boot.
  wantsWholeBootChange,      // a change of target, duration and mode, or 400
  dropsBootWithoutDuration,  // takes a target that comes without duration, and forgets it
  bootsLegacyUnlessToldUefi,
  cdIsUsbCd,  // the virtual drive boots as UsbCd
  refusesBootInPost,
  // Power.
  losesEarlyOn,      // within ten seconds of an off; and stays off at ForceRestart: SR675 V3 alone
  conflictsEarlyOn,  // answers 409 until timing.settle is over
  // Virtual media.
  hasOneDrive,
  mediaByPatchOnly,
  insertedShowsLate,    // Image at once
  secondDriveTakesCds,  // which do not boot
  secondDriveIsForUploads,
  namesTransferProtocol,  // an image without TransferProtocolType is refused
  flagsAreReadOnly,       // Inserted and WriteProtected
  ejectWantsBody,         // else 415
  takesHttpsOnly,
  leavesMediaAfterPower,  // for some seconds: InvalidOperationForSystemState
};

// A path of the plain service and all below it, as the product has it.
struct Rename {
  std::string_view plain, own;
};

// As POST to the system's Actions/Oem/ does it.
struct AcCycle {
  std::string_view action, resetType;
};

struct Traits {
  std::string_view bmcModel = "Simulated BMC";
  std::span<const Rename> paths;
  std::span<const Reset> resets;  // empty: all
  std::span<const Habit> habits;
  AcCycle acCycle = {};
  std::string_view oem = {};  // what the root's Oem is called after

  [[nodiscard]] bool has(Habit habit) const;
  [[nodiscard]] bool offers(Reset reset) const;
};

[[nodiscard]] const Traits& traitsOf(Personality personality);

// With this firmware of Dell Cd is not the virtual drive: that one boots after an import of a server profile only.
[[nodiscard]] bool cdBootsByImport(const Traits& traits, std::string_view bmcFirmware);

// A path of the plain service; nullopt: this BMC has nothing there.
[[nodiscard]] std::optional<std::string> plainPath(const Traits& traits, std::string_view path);
[[nodiscard]] std::string ownPath(const Traits& traits, std::string_view path);
// The paths in all texts of an answer, and the Ids that are a part of them.
void putOwnPaths(const Traits& traits, json::Value& body);

}  // namespace ingot::sim::redfish
