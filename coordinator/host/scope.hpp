// Everything one pass over one host may read and change.
#pragma once

#include "base/runtime.hpp"
#include "coordinator/host/cluster.hpp"
#include "coordinator/host/held_deletions.hpp"
#include "coordinator/host/journal.hpp"
#include "coordinator/host/out_of_band.hpp"
#include "coordinator/host/outcome.hpp"
#include "coordinator/host/power_actor.hpp"
#include "coordinator/host/provisioner.hpp"

#include <functional>

namespace ingot::coordinator::host {

struct Policy {
  int maxProvisioningRetries = 5;  // 0: no limit
};

// The BMC Secret as this pass read it.
struct BmcAccess {
  std::string secretName, secretVersion;
  Credentials credentials;
  bool watched = true;                           // as SecretContent
  std::vector<std::string> formerVersions = {};  // as SecretContent
};

struct Scope {
  api::BareMetalHost& host;         // the draft: edits collect here, except of the state
  std::optional<BmcAccess> access;  // nullopt: no usable credentials
  Provisioner& backend;
  PowerActor& power;
  Cluster& cluster;
  Journal& journal;
  HeldDeletions& held;
  const Policy& policy;
  base::WallTime now;
  base::Log log;
  OutOfBandInspection* outOfBand = nullptr;  // nullptr: there is none
  OutOfBandCleaning* cleaning = nullptr;     // likewise
  OutOfBandBoot* boot = nullptr;             // likewise
  bool powerRead = false;                    // this pass has asked for the power, whatever the answer
  // "" when no other host names the same machine, nor may (same_machine.hpp).
  std::function<std::string()> whyMachineIsShared = [] { return std::string(); };

  [[nodiscard]] HostName name() const { return {host.metadata.namespace_, host.metadata.name}; }
};

[[nodiscard]] PoweredHost poweredHost(const api::BareMetalHost& host);
[[nodiscard]] PowerWish powerWish(const api::BareMetalHost& host);

// Somebody beside the BMC erases the disks of this host, in place of the backend's cleaning.
[[nodiscard]] bool erasesOutOfBand(const Scope& s);

// Makes the user-visible error go away; errorCount stays until some work has succeeded. True when there was one.
bool clearError(api::BareMetalHost& host);

// The error now shown is of this type.
[[nodiscard]] bool failedWith(const api::BareMetalHost& host, ErrorType type);

// What others have written, without the password that they may have been told.
[[nodiscard]] std::string discreet(const Scope& s, const std::string& text);

// Shows what holds the backend's work, for people. It has no errorType: no work of the host has failed.
void showObstacle(Scope& s, const Working& work);

// The backend is at work: an earlier error is over, look again when it says.
[[nodiscard]] Step working(Scope& s, const Working& work);

// What a state answers while the backend is not done: it is at work, or work of this type has failed. nullopt: done.
[[nodiscard]] std::optional<Step> unfinished(Scope& s, ErrorType type, const Progress& progress);

}  // namespace ingot::coordinator::host
