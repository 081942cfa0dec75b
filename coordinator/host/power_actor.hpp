// Who reads and changes a host's power. The default asks the provisioner; with an agent in charge of the BMC its facts
// are the authority and its hands do the work (docs/architecture.md, "Honest facts").
//
// Guarantees asked of every implementation: "off" is answered only when a fresh reading says off; a change is never
// started on a stale reading; a call may be repeated at any time with the same arguments.
#pragma once

#include "base/clock.hpp"
#include "bmc/model/power.hpp"
#include "coordinator/host/power_backend.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace ingot::coordinator::host {

struct PowerReading {
  std::optional<bool> on;  // nullopt: not known now; status.poweredOn keeps its last value
  std::string why;         // it is not known, for people; may be empty
};

// What a user says that bears on a host's power: a decision stands as long as this does.
struct PowerWish {
  std::string uid;
  std::int64_t generation = 0;
  bool beingDeleted = false;
  std::map<std::string, std::string> annotations;  // reboot, paused, detached

  friend bool operator==(const PowerWish&, const PowerWish&) = default;
};

// What one pass knows about the host whose power is meant.
struct PoweredHost {
  std::string namespace_, name, uid;
  std::string bmcAddress;
  std::string automatedCleaningMode;
  std::string provisionerId;  // status.provisioning.ID
  bool disablePowerOff = false;
  bool wantedOn = false;  // spec.online
  bool isLent = false;  // the backend has lent the machine (LendingBackend): what it boots from is set by whoever asks
  PowerWish wish;
};

class PowerActor {
 public:
  virtual ~PowerActor() = default;

  [[nodiscard]] virtual base::Task<PowerReading> read(const PoweredHost& host, PowerBackend& backend) = 0;

  // As PowerBackend::powerOn/powerOff: Working while the power changes, Done when a reading proves it. Both throw
  // HostMoved instead of asking for a change that the user has taken back since the pass began.
  [[nodiscard]] virtual base::Task<Progress> turnOn(const PoweredHost& host, PowerBackend& backend, PowerOn how) = 0;
  [[nodiscard]] virtual base::Task<Progress> turnOff(const PoweredHost& host, PowerBackend& backend, PowerOff how) = 0;

  // What turnOff answered for a host that must not be off is on record, or nothing asks for a restart: how the last one
  // ended need not be remembered. Until then a turnOff that is repeated answers the same.
  virtual void restartRecorded(const PoweredHost& host) = 0;

  // What an operator asks a BMC for once (one_shots.hpp), beside the power that is wanted. Why it cannot be asked for
  // now; "": it can, and nothing is asked for yet.
  [[nodiscard]] virtual std::string whyNotNow(const PoweredHost& host, bmc::PowerAction action) = 0;
  // It is asked for as soon as askOnce() says so: from now on somebody waits for how it ends.
  virtual void willAskOnce(const std::string& uid, bmc::PowerAction action) = 0;
  // Asks for it, at most once whatever becomes of that.
  virtual void askOnce(const std::string& uid, bmc::PowerAction action) = 0;
  // How that ended, until it is told; nullopt: it has not, or nothing was asked for. `isOrderedStill`: the order
  // stands, so what was to be asked for has not been.
  struct Ended {
    bmc::PowerAction action = bmc::PowerAction::nmi;
    bool done = false;
    bool isUnknown = false;  // whether it is done
    std::string why;         // it is not, or is not known to be
  };
  [[nodiscard]] virtual std::optional<Ended> endedOnce(const std::string& uid, bool isOrderedStill) = 0;
  virtual void toldOnce(const std::string& uid) = 0;

  // Before credentials that nobody has proved reach the backend: does the BMC take them? Done: go on (also when there
  // is nobody to ask); Working: not known yet; Refused: it refused them, or cannot be reached.
  [[nodiscard]] virtual base::Task<Progress> checkAccess(const PoweredHost& host) = 0;

  // The backend (not the power) reports a failure that makes the host unmanageable.
  [[nodiscard]] virtual base::Task<bool> hasFailure(const PoweredHost& host, PowerBackend& backend) = 0;
};

// Power through the provisioner alone: what there is without agents.
class ProvisionerPower final : public PowerActor {
 public:
  [[nodiscard]] base::Task<PowerReading> read(const PoweredHost& host, PowerBackend& backend) override;
  [[nodiscard]] base::Task<Progress> turnOn(const PoweredHost& host, PowerBackend& backend, PowerOn how) override;
  [[nodiscard]] base::Task<Progress> turnOff(const PoweredHost& host, PowerBackend& backend, PowerOff how) override;
  void restartRecorded(const PoweredHost& host) override { asked_.erase(host.uid); }
  [[nodiscard]] std::string whyNotNow(const PoweredHost& host, bmc::PowerAction action) override;
  void willAskOnce(const std::string&, bmc::PowerAction) override {}
  void askOnce(const std::string&, bmc::PowerAction) override {}
  [[nodiscard]] std::optional<Ended> endedOnce(const std::string&, bool) override { return std::nullopt; }
  void toldOnce(const std::string&) override {}
  [[nodiscard]] base::Task<Progress> checkAccess(const PoweredHost& host) override;
  [[nodiscard]] base::Task<bool> hasFailure(const PoweredHost& host, PowerBackend& backend) override;

 private:
  std::set<std::string> asked_;  // uids of hosts whose restart was accepted, and is not on record yet
};

}  // namespace ingot::coordinator::host
