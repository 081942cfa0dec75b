// Watches over power changes that do not come about: what waits longer than it should is said, with what stands in the
// way, instead of being waited for in silence (a fencing depends on it).
//
// A change that the backend does not take (a lock that a crashed conductor left, 409 without end) is told after a
// minute; one that was taken and does not end, after five, unless its actor has words of its own for that (an agent).
// It is tried on all the same.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "coordinator/host/power_actor.hpp"

#include <map>

namespace ingot::coordinator::host {

class PowerWatchdog final : public PowerActor {
 public:
  // Both outlive it.
  PowerWatchdog(base::Clock& clock, PowerActor& actor) : clock_(clock), actor_(actor) {}

  [[nodiscard]] base::Task<PowerReading> read(const PoweredHost& host, PowerBackend& backend) override;
  [[nodiscard]] base::Task<Progress> turnOn(const PoweredHost& host, PowerBackend& backend, PowerOn how) override;
  [[nodiscard]] base::Task<Progress> turnOff(const PoweredHost& host, PowerBackend& backend, PowerOff how) override;
  void restartRecorded(const PoweredHost& host) override { actor_.restartRecorded(host); }
  [[nodiscard]] std::string whyNotNow(const PoweredHost& host, bmc::PowerAction action) override {
    return actor_.whyNotNow(host, action);
  }
  void willAskOnce(const std::string& uid, bmc::PowerAction action) override { actor_.willAskOnce(uid, action); }
  void askOnce(const std::string& uid, bmc::PowerAction action) override { actor_.askOnce(uid, action); }
  [[nodiscard]] std::optional<Ended> endedOnce(const std::string& uid, bool isOrderedStill) override {
    return actor_.endedOnce(uid, isOrderedStill);
  }
  void toldOnce(const std::string& uid) override { actor_.toldOnce(uid); }
  [[nodiscard]] base::Task<Progress> checkAccess(const PoweredHost& host) override;
  [[nodiscard]] base::Task<bool> hasFailure(const PoweredHost& host, PowerBackend& backend) override;

 private:
  struct Change {
    bool on = false, force = false;
  };
  struct Wait {
    bool on = false;  // what is waited for
    base::MonoTime since, lastAsked;
  };
  [[nodiscard]] base::Task<Progress> judge(std::string uid, PowerBackend& backend, Change change, Progress progress);
  [[nodiscard]] base::Duration noteWait(const std::string& uid, bool on);

  base::Clock& clock_;
  PowerActor& actor_;
  std::map<std::string, Wait> waits_;  // by uid
};

// This power error (or the one that the host shows) says only that a change waits: nothing was tried and refused.
[[nodiscard]] bool onlyWaits(std::string_view error);
[[nodiscard]] bool onlyWaits(const api::BareMetalHost& host);

}  // namespace ingot::coordinator::host
