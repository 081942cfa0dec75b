// One host that this agent serves: its BMC, its lease, its polling, its commands.
#pragma once

#include "agent/change_proof.hpp"
#include "agent/journal.hpp"
#include "agent/lease.hpp"
#include "base/sync.hpp"
#include "bmc/driver.hpp"
#include "bmc/governor.hpp"
#include "bmc/power_change.hpp"

namespace ingot::agent {

// Where a session's messages go; the agent fills in the link.
using Report = std::function<void(wire::Message)>;

struct SessionSettings {
  std::string caFile;
  bmc::GovernorOptions governor;
  std::shared_ptr<bmc::TrafficPool> bmcs;  // the agent's: hosts behind one BMC share its turns
  bmc::PowerChangeLimits powerLimits;
  std::string machineBoot;  // the machine's boot, whose monotonic clock journals count by; "": not known
};

class HostSession {
 public:
  HostSession(base::Runtime runtime, bmc::Transports transports, Journal& journal, SessionSettings settings,
              wire::Grant grant, base::MonoTime leaseUntil, Report report);
  ~HostSession();  // after close()

  // A newer grant, or the same with other credentials or another address. Older ones are ignored.
  void regrant(wire::Grant grant, base::MonoTime leaseUntil);
  void renew(std::int64_t term, std::int64_t lease, base::MonoTime until);

  // No write starts after this call. Idle is reported as soon as none is under way. False: it is about an older grant.
  bool revoke(std::int64_t term, std::int64_t lease);

  // A coordinator of a later term has spoken: what an earlier one granted has ended. Reading goes on.
  void yield();

  // A request of ours may reach the BMC yet, whatever the lease says.
  [[nodiscard]] bool isWriting() const { return writing_ > 0 || writeAbandoned_; }
  // Holds the right to act now.
  [[nodiscard]] bool mayAct() const { return lease_.validAt(runtime_.clock.now()); }

  // Refused at once, or carried out in the background; either way exactly one result is reported.
  void carryOut(wire::Command command);

  // Says what is being carried out, if anything is.
  void reportRunning();

  void sendSnapshot();

  // Lets a write that is under way end, stops polling and commands, logs out of the BMC, wipes the credentials. When it
  // is cancelled the write is given up, and nobody is told that the host is idle.
  [[nodiscard]] base::Task<void> close();

 private:
  class Guarded;
  struct Known;

  void openBmc();
  [[nodiscard]] base::Task<void> pollPower();
  [[nodiscard]] base::Task<void> pollHealth();
  [[nodiscard]] base::Task<void> run(wire::Command command, bmc::PowerAction action);
  [[nodiscard]] base::Task<bmc::PowerReading> readPower(std::shared_ptr<bmc::Driver> driver);
  [[nodiscard]] base::Task<void> logOut(std::shared_ptr<bmc::Driver> old);
  void recordAsking();
  void refuse(const wire::Command& command, std::string code, std::string why);
  void note(const bmc::PowerReading& reading);
  void noteFailure(const bmc::Error& error);
  void reportIdleWhenStill();
  void end(const wire::Command& command, wire::CommandResult result);
  [[nodiscard]] base::Duration permitWrite(const wire::Token& command) const;
  [[nodiscard]] bool takeHeld();
  [[nodiscard]] MachineTime machineTime() const { return {settings_.machineBoot, runtime_.clock.now()}; }
  [[nodiscard]] std::int64_t ageMs(const std::optional<base::MonoTime>& at) const;  // -1: never
  [[nodiscard]] base::Duration jittered(std::int64_t ms);

  base::Runtime runtime_;
  bmc::Transports transports_;
  Journal& journal_;
  SessionSettings settings_;
  wire::Grant grant_;
  Lease lease_;
  Report report_;
  bmc::Governor governor_;
  std::shared_ptr<bmc::Driver> driver_;  // replaced when address or credentials change; users keep the old one
  std::unique_ptr<Known> known_;
  ChangeProof proof_;
  base::Notifier wake_;   // poll now: new credentials
  base::Notifier still_;  // no write is under way any more
  base::TaskGroup tasks_;
  int writing_ = 0;              // requests under way that change the host
  bool writeAbandoned_ = false;  // one was given up half-way: only time makes this host quiet
  std::optional<wire::Command> running_;
  bool yielded_ = false;  // it held a right when a later term took it away, and was granted nothing since
  bool pollNow_ = false;
  std::optional<wire::Idle> idleOwed_;  // the answer to a revocation
  std::int64_t factSeq_ = 0;
};

}  // namespace ingot::agent
