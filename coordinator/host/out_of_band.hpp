// An inspection that needs no ramdisk and no backend: somebody beside the BMC reads what it knows.
#pragma once

#include "coordinator/host/power_actor.hpp"
#include "coordinator/host/provisioner.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::host {

struct OutOfBandResult {
  Inspected found;
  std::vector<std::string> unread = {};  // what the BMC has and did not show, and why
  bool begun = false;                    // a reading has been asked for in this call
};

class OutOfBandInspection {
 public:
  virtual ~OutOfBandInspection() = default;

  // nullopt: nobody can read this host's hardware; the backend is asked. A result is told once: the next call begins
  // anew.
  [[nodiscard]] virtual base::Task<std::optional<OutOfBandResult>> inspect(const PoweredHost& host,
                                                                           LifecycleBackend& backend) = 0;
};

// What is shown of a host's health where somebody beside its BMC tells of it, too.
class OutOfBandHealth {
 public:
  virtual ~OutOfBandHealth() = default;

  // OK, Warning or Critical; Unknown: what was told is too old; "": nobody tells, and the last word stays. `ofBackend`:
  // what the backend says, "" when it says nothing.
  [[nodiscard]] virtual std::string judge(const std::string& uid, std::string ofBackend) const = 0;
};

// The disks of a host erased by somebody beside its BMC, in place of the backend's cleaning (docs/decisions/0022).
class OutOfBandCleaning {
 public:
  virtual ~OutOfBandCleaning() = default;

  [[nodiscard]] virtual bool isWanted(const api::BareMetalHost& host) const = 0;
  // Why the disks of such a host cannot be erased, by what is known of it; "": it can be tried.
  [[nodiscard]] virtual std::string whyNot(const api::BareMetalHost& host) const = 0;
  // One step, of a host that the backend has lent. Done: the disks are erased, the host is off and boots as before.
  // A refusal is answered until it is told.
  [[nodiscard]] virtual base::Task<Progress> erase(const api::BareMetalHost& host, PowerBackend& backend,
                                                   Publish publish) = 0;
  // The same of a host whose disks are not to be erased any more. Done: nothing is under way, as somebody says who
  // serves the host, and it is off.
  [[nodiscard]] virtual base::Task<Progress> callOff(const api::BareMetalHost& host, PowerBackend& backend,
                                                     Publish publish) = 0;
  // The host has left the state in which its disks are erased.
  virtual void forget(const std::string& uid) = 0;
};

// A host booted from a live ISO by somebody beside its BMC, in place of the backend (docs/decisions/0038).
class OutOfBandBoot {
 public:
  virtual ~OutOfBandBoot() = default;

  // Why such a host can never be booted so from this image, by what is known of it; "": it can be tried.
  [[nodiscard]] virtual std::string whyNot(const api::BareMetalHost& host) const = 0;
  // Why nobody can boot it now; "": somebody serves it, or may in a moment.
  [[nodiscard]] virtual std::string whyNobody(const api::BareMetalHost& host) const = 0;
  // One step, of a host that the backend has lent. Done: it is on, and was switched on to boot its image.
  [[nodiscard]] virtual base::Task<Progress> boot(const api::BareMetalHost& host, PowerBackend& backend,
                                                  Publish publish) = 0;
  // The same the other way. Done: it is off, its drives are empty, and it boots as before.
  [[nodiscard]] virtual base::Task<Progress> eject(const api::BareMetalHost& host, PowerBackend& backend,
                                                   Publish publish) = 0;
  // The power to which it has brought the host, as was proved; nullopt: none, or it was forgotten.
  [[nodiscard]] virtual std::optional<bool> provedOn(const std::string& uid) const = 0;
  // The host has left the state in which it is booted or ejected, or the backend does it, or others have had the
  // machine: what was done with it does not count any more.
  virtual void forget(const std::string& uid) = 0;
};

}  // namespace ingot::coordinator::host
