// One host that this agent serves: its BMC, its lease, its polling, its commands.
#pragma once

#include "agent/change_proof.hpp"
#include "agent/events_state.hpp"
#include "agent/journal.hpp"
#include "agent/lease.hpp"
#include "agent/poll_pace.hpp"
#include "base/sync.hpp"
#include "bmc/bmc_pool.hpp"
#include "bmc/boot_preparation.hpp"
#include "bmc/capability/events.hpp"
#include "bmc/capability/logs.hpp"
#include "bmc/capability/sensors.hpp"
#include "bmc/drive_erasure.hpp"
#include "bmc/power_change.hpp"

namespace ingot::agent {

// Where a session's messages go; the agent fills in the link.
using Report = std::function<void(wire::Message)>;

class ErasureRecords;
struct NotRead;
class LogPositions;

struct SessionSettings {
  std::string caFile;
  bmc::GovernorOptions governor;
  std::shared_ptr<bmc::BmcPool> bmcs;  // the agent's: hosts behind one BMC share it; nullptr: one of its own
  bmc::PowerChangeLimits powerLimits;
  std::shared_ptr<LogPositions> logPositions;  // the agent's; nullptr: nothing is remembered
  std::shared_ptr<ErasureRecords> erasures;    // the agent's; nullptr: they are forgotten with the session
  bool followsEvents = true;                   // that BMCs push
  std::string machineBoot;  // boot id of the machine, whose monotonic clock the journal uses; "": not known
};

class HostSession {
 public:
  HostSession(base::Runtime runtime, bmc::Transports transports, Journal& journal, SessionSettings settings,
              wire::Grant grant, base::MonoTime leaseUntil, Report report);
  ~HostSession();  // after close()

  // A newer grant, or the same with other credentials or another address. Older ones are ignored.
  void regrant(wire::Grant grant, base::MonoTime leaseUntil);
  void renew(std::int64_t term, std::int64_t lease, base::MonoTime until);

  // No write starts after this call. Idle is reported as soon as none is in flight. False: a newer grant stands.
  bool revoke(std::int64_t term, std::int64_t lease);

  // The agent stops: as revoke(), of what it holds.
  void leave() { static_cast<void>(revoke(lease_.grant().term, lease_.grant().lease)); }

  // A coordinator of a later term has been heard: leases of earlier terms have ended. Polling continues.
  void preempt();

  // A request may still reach the BMC, whatever the lease says.
  [[nodiscard]] bool isWriting() const { return writing_ > 0 || writeAbandoned_; }
  // The lease is valid now, so writes are allowed.
  [[nodiscard]] bool holdsLease() const { return lease_.validAt(runtime_.clock.now()); }

  struct Standing {
    bool mayAct = false, writes = false, erases = false, wasRead = false;
    std::string trouble;                       // code of why its BMC cannot be read; "": it can
    EventsState events = EventsState::notYet;  // of its BMC
  };
  [[nodiscard]] Standing standing() const;

  // The command is refused at once or executed in the background; either way exactly one result is reported.
  void execute(wire::Command command);

  // Reads the host's hardware in the background and reports it; the same id again: reports it again.
  void takeInventory(std::int64_t id);

  // Makes the host ready to boot so, in the background; exactly one result is reported.
  void prepareBoot(const wire::BootRequest& request);

  // Erases the host's drives in the background, and reports how far that is. The power stays as it is meanwhile.
  void eraseDrives(const wire::EraseRequest& request);

  // A coordinator has recorded what was told of a log.
  void acknowledgeLog(const wire::LogAcknowledge& acknowledge);

  // Reports the command that is being executed, if there is one.
  void reportRunning();

  // Everything that is known, whether or not it was told before.
  void sendSnapshot();
  // From version 2 on, readings that say nothing new are told as wire::StillFresh.
  void speak(int version) { version_ = version; }

  // Waits for a write that is in flight, stops polling and commands, logs out of the BMC, wipes the credentials. When
  // it is cancelled the write is abandoned, and the host is not reported idle.
  // `forLogOut`: how long the BMC has for it; the session of one that takes longer is closed by the next process.
  [[nodiscard]] base::Task<void> close(std::optional<base::Duration> forLogOut = std::nullopt);

 private:
  class LeaseGuard;
  class JobWrites;
  struct Observed;

  void openBmc();
  void noteUnopened(std::string code, std::string why);
  [[nodiscard]] base::Task<void> pollPower();
  [[nodiscard]] base::Task<void> readInventory();
  void dropOldInventory();
  [[nodiscard]] base::Task<bool> identify(std::shared_ptr<bmc::Driver> driver);
  [[nodiscard]] base::Task<void> pollHealth();
  // What is read beside power, in the background and as long as the coordinator wants it.
  struct Reading {
    std::string_view what;  // for the log
    std::int64_t wire::Grant::* intervalMs;
    base::Duration untilFirst{};
    bool heedsEvents = false;                      // is read soon when the BMC pushes one
    bool (HostSession::*isDue)() const = nullptr;  // asked twice a minute, in place of an interval
    // Reads and reports; how long the next one waits at least.
    base::Task<base::Duration> (HostSession::*read)(std::shared_ptr<bmc::Driver> driver);
  };
  [[nodiscard]] base::Task<void> keepReading(Reading reading);
  struct ReadingPace {
    PollPace pace;
    base::Duration atLeast{};  // until the next one
    int silences = 0;          // in a row: a BMC that starts anew is silent once
  };
  [[nodiscard]] bool isToRead(const Reading& reading) const;
  void noteNotRead(std::string_view what, NotRead trouble);
  [[nodiscard]] base::Task<base::Duration> readOnce(const Reading& reading, ReadingPace& pace);
  [[nodiscard]] base::Task<base::Duration> readSensors(std::shared_ptr<bmc::Driver> driver);
  [[nodiscard]] base::Task<base::Duration> readHardware(std::shared_ptr<bmc::Driver> driver);
  [[nodiscard]] bool isHardwareDue() const;
  void hardwareMayDiffer(base::Duration within);
  void noteRestart();
  void noteRestartIn(const bmc::PowerReading& reading);
  [[nodiscard]] bool noteHealth(bmc::Health ofBmc, base::MonoTime asked);  // true: it is another one
  void noteRaised(const bmc::SensorReading& reading, base::MonoTime until);
  [[nodiscard]] base::Task<base::Duration> readLogs(std::shared_ptr<bmc::Driver> driver);
  void noteClock(std::optional<std::chrono::seconds> ahead);
  void tellLog(bmc::LogTail tail, base::MonoTime asked);
  [[nodiscard]] bool isOnlyStarting(const bmc::LogTail& tail, const std::optional<bmc::LogPosition>& known);
  [[nodiscard]] base::Task<void> followEvents();
  [[nodiscard]] base::Task<base::Duration> followOnce(std::shared_ptr<bmc::Driver> driver, int& failures);
  [[nodiscard]] static base::Task<void> following(std::shared_ptr<bmc::Driver> driver, bmc::OnEvent onEvent,
                                                  base::Duration& stood);
  [[nodiscard]] base::Duration pauseAfter(const bmc::Error& error, int& failures);
  void takeEvent();
  [[nodiscard]] base::Task<void> heedEvents();
  [[nodiscard]] base::Task<void> untilEventOr(base::MonoTime time, base::MonoTime since, base::MonoTime notBefore);
  [[nodiscard]] base::Task<void> run(wire::Command command, bmc::PowerAction action);
  [[nodiscard]] base::Task<void> carryOutBoot(bmc::BootPlan plan, wire::BootResult result);
  [[nodiscard]] base::Task<void> logOutWithin(base::Duration limit);
  void goOnWithErasure();
  void lookForRecord();
  [[nodiscard]] base::Task<void> findRecord();
  // As it is on the disk.
  struct EndedErasure {
    std::optional<bmc::ErasureRecord> record = std::nullopt;
    std::string obstacle = {};  // why it could not be read
  };
  void eraseDrives(const wire::EraseRequest& request, EndedErasure ended);
  [[nodiscard]] base::Task<void> eraseOnceRead(wire::EraseRequest request);
  [[nodiscard]] std::string erasureObstacle() const;  // why nothing else may be done to the host; "": nothing erases
  [[nodiscard]] base::Task<void> saveErasure();
  [[nodiscard]] base::Task<void> carryOutErasure();
  [[nodiscard]] base::Task<bool> isAllErased(bmc::ErasureTools tools, std::optional<bmc::EraseOrder> order);
  [[nodiscard]] base::Task<bool> isErasureConfirmed(std::optional<bmc::EraseOrder> order);
  [[nodiscard]] base::Task<void> requireIdleDrives(std::shared_ptr<bmc::Driver> driver);
  [[nodiscard]] base::Task<void> untilOtherAccess(std::shared_ptr<bmc::Driver> driver);
  void reportErasure(std::string outcome, std::string code = {}, std::string why = {});
  [[nodiscard]] base::Task<bmc::PowerReading> readPower(bmc::Lane lane, std::shared_ptr<bmc::Driver> driver);
  [[nodiscard]] base::Task<void> recordRequest();
  void noteSent() { journal_.noteSent(grant_.host, machineTime()); }
  [[nodiscard]] base::Task<bool> beginInJournal(wire::Command command);
  void refuse(const wire::Command& command, std::string code, std::string why);
  void record(const bmc::PowerReading& reading);
  void recordFailure(const bmc::Error& error);
  void reportIdleWhenQuiesced();
  wire::CommandResult end(const wire::Command& command, wire::CommandResult result);
  [[nodiscard]] base::Task<void> tellEnd(wire::CommandResult result);
  [[nodiscard]] base::Duration permitWrite(const wire::Token& command) const;
  [[nodiscard]] bool takeHeldLease();
  [[nodiscard]] MachineTime machineTime() const { return {settings_.machineBoot, runtime_.clock.now()}; }
  [[nodiscard]] std::int64_t ageMs(const std::optional<base::MonoTime>& at) const;  // -1: never
  [[nodiscard]] wire::Facts facts() const;
  void tellReading();

  base::Runtime runtime_;
  Journal& journal_;
  SessionSettings settings_;
  wire::Grant grant_;
  Lease lease_;
  Report report_;
  std::shared_ptr<bmc::Driver> driver_;  // replaced when address or credentials change; who uses the old one keeps it
  std::unique_ptr<Observed> observed_;
  ChangeProof proof_;
  PollPace pace_;
  base::Notifier wake_;      // poll now: new credentials, a new right, or an event
  base::Notifier polled_;    // a poll of the power has ended, well or not
  base::Notifier accessed_;  // the BMC is reached by another address or account
  base::Notifier quiesced_;  // no write is in flight any more
  base::Notifier pushed_;    // the BMC has pushed an event
  base::Notifier ordered_;   // the coordinator has repeated its order to erase
  base::TaskGroup tasks_;
  int writing_ = 0;              // requests in flight that change the host
  bool writeAbandoned_ = false;  // one was abandoned: only time tells when this host is quiescent
  std::optional<wire::Command> running_;
  bool preempted_ = false;  // a later term ended a lease that was valid, and none was granted since
  bool pollNow_ = false;
  std::optional<wire::Idle> pendingIdle_;  // the answer to a revocation
  int version_ = wire::oldestVersion;
  wire::Facts told_;  // the last; seq 0: nothing yet
  base::MonoTime toldAt_{};
  std::int64_t inventoryWanted_ = 0;                  // id of the latest request; 0: none
  std::unique_ptr<wire::InventoryResult> inventory_;  // the latest, for a while
  base::MonoTime inventoryAt_{};
  bool readsInventory_ = false;
  bool preparesBoot_ = false;
  EventsState eventsState_ = EventsState::notYet;
  bool hasEvent_ = false;                            // one came that was not heeded yet
  base::MonoTime eventAt_{};                         // the latest
  std::unique_ptr<base::AbortSource> eventsFollow_;  // a stream that is opened or read
  struct Erasing {
    wire::Token token;  // of the last request for it; none: nobody has asked
    bmc::ErasureRecord record;
    std::optional<bmc::EraseOrder> order = {};  // of the last request; nullopt: nobody has asked
    bool begins = false;                        // … has drives erased that are not begun yet
    std::int64_t confirmed = 0;                 // … answers this EraseConfirm
    bool isConfirming = false;                  // who gives it answers EraseConfirm
    int orders = 0;                             // that were heard
    base::MonoTime askedAt{}, reportedAt{};
  };
  std::unique_ptr<Erasing> erasing_;
  std::string recordTrouble_;  // why nobody knows whether drives are being erased; "": it is known
  bool looksForRecord_ = false;
  std::int64_t lastConfirm_ = 0;
  struct ToldLog {
    std::string mark;
    bmc::LogPosition end;
  };
  std::map<std::string, ToldLog> logsTold_;               // by log: told, and not acknowledged yet
  std::map<std::string, base::MonoTime> logsEmptySince_;  // by log: not told, it may only be starting
  bmc::LogMarks logMarks_;                                // of those that the coordinator of logsTerm_ knows
  std::int64_t logsTerm_ = 0;
};

}  // namespace ingot::agent
