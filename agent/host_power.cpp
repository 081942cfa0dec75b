// Power commands: each is on record before it is begun and before the BMC is asked, and told once.
#include "agent/host_observed.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration shortestWrite = std::chrono::seconds(1);

// The BMC could not be spoken to; what was to be done is another matter.
bool concernsAccess(bmc::Error::Code code) {
  switch (code) {
    case bmc::Error::Code::unreachable:
    case bmc::Error::Code::timeout:
    case bmc::Error::Code::authenticationFailed:
    case bmc::Error::Code::lockedOut:
    case bmc::Error::Code::tls:
    case bmc::Error::Code::busy:
    case bmc::Error::Code::protocol: return true;
    case bmc::Error::Code::unsupported:
    case bmc::Error::Code::refused:
    case bmc::Error::Code::notPermitted:
    case bmc::Error::Code::outcomeUnknown:
    case bmc::Error::Code::notReached:
    case bmc::Error::Code::ambiguousSystem: break;
  }
  return false;
}

// What a refusal is told as: a word that the coordinator does not take for one of its own.
std::string refusalCode(bmc::Error::Code code) {
  return code == bmc::Error::Code::busy ? "bmc-busy" : std::string(toText(code));
}

}  // namespace

// Passes a write on only under a valid lease, and reports when none is in flight.
class HostSession::LeaseGuard final : public bmc::PowerControl {
 public:
  LeaseGuard(HostSession& session, std::shared_ptr<bmc::Driver> driver, wire::Token command)
      : session_(session), driver_(std::move(driver)), command_(command) {}

  base::Task<bmc::PowerReading> readPower(bmc::Lane lane) override {
    if (auto seen = proof().take()) co_return *seen;  // by a poll, since the request
    auto reading = co_await session_.readPower(lane, driver_);
    co_return proof().take().value_or(reading);
  }

  base::Task<void> checkOffers(bmc::Lane lane, bmc::PowerAction action) override {
    return driver_->power->checkOffers(lane, action);
  }

  // It could not be put on record that the BMC is asked: it was not.
  [[nodiscard]] bool isUnrecorded() const { return isUnrecorded_; }
  // A request of this command was handed over, however it ended.
  [[nodiscard]] bool hasTried() const { return hasTried_; }
  // A request of this command has reached the BMC, though the next one may be refused: a restart is two.
  [[nodiscard]] bool hasAsked() const { return hasAsked_; }

  // The lease decides, whatever the caller permits.
  base::Task<void> requestPower(bmc::Lane lane, bmc::PowerAction action, bmc::WritePermit) override {
    static_cast<void>(session_.permitWrite(command_));
    std::optional<Writing> writing;  // once it may be under way; while it waits for its turn it is not
    try {
      co_await driver_->power->requestPower(lane, action,
                                            {.record = [this] { return record(); },
                                             .timeLimit = [this] { return session_.permitWrite(command_); },
                                             .beforeSending =
                                                 [&] {
                                                   static_cast<void>(session_.permitWrite(command_));
                                                   if (!hasTried_) session_.noteSent();
                                                   hasTried_ = true;
                                                   if (!writing) writing.emplace(session_);
                                                 }});
      noteAsked(action);
    } catch (const bmc::Error& error) {
      if (error.code() == bmc::Error::Code::unreachable) hasTried_ = false;  // an IPMI session that never stood
      if (error.code() == bmc::Error::Code::outcomeUnknown) noteAsked(action);
      throw;
    } catch (const base::Cancelled&) {
      if (writing) session_.writeAbandoned_ = true;
      if (isRecorded_ && !hasTried_ && !hasAsked_) session_.journal_.takeBackRequest(session_.grant_.host);
      throw;
    }
  }

 private:
  struct Writing {
    explicit Writing(HostSession& of) : session(of) { ++session.writing_; }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    ~Writing() {
      --session.writing_;
      session.reportIdleWhenQuiesced();
    }
    HostSession& session;
  };

  base::Task<void> record() {
    isUnrecorded_ = true;
    co_await session_.recordRequest();
    isUnrecorded_ = false;
    isRecorded_ = true;
  }

  void noteAsked(bmc::PowerAction action) {
    hasAsked_ = true;
    proof().requested(action);
    if (bmc::provedBy(action) != bmc::Power::off) session_.noteRestart();
  }

  // A reading of another BMC, or with another password, proves nothing for this one.
  ChangeProof& proof() { return driver_ == session_.driver_ ? session_.proof_ : none_; }

  HostSession& session_;
  std::shared_ptr<bmc::Driver> driver_;
  wire::Token command_;
  ChangeProof none_;
  bool hasTried_ = false, hasAsked_ = false, isUnrecorded_ = false, isRecorded_ = false;
};

// Throws unless the lease that the command was sent under lasts long enough for a request to be worth sending. A later
// lease does not count: whoever granted it was told that nothing is in flight.
base::Duration HostSession::permitWrite(const wire::Token& command) const {
  const auto left = lease_.covers(command) ? lease_.leftAt(runtime_.clock.now()) : base::Duration{};
  if (left < shortestWrite)
    throw bmc::Error(bmc::Error::Code::notPermitted,
                     "the lease for this host ran out or was revoked before the command was sent");
  return left;
}

// Recorded durably, so that after a crash it is known whether the BMC may have received the command.
base::Task<void> HostSession::recordRequest() {
  bool isNoted = false;
  try {
    isNoted = journal_.recordRequest(grant_.host, machineTime());
    if (isNoted) co_await journal_.synced();
  } catch (const base::Cancelled&) {
    journal_.takeBackRequest(grant_.host);
    throw;
  } catch (const base::Error& error) {
    if (isNoted) journal_.takeBackRequest(grant_.host);
    throw bmc::Error(bmc::Error::Code::notPermitted, error.what());
  }
}

void HostSession::refuse(const wire::Command& command, std::string code, std::string why) {
  report_(wire::CommandResult{.host = command.host,
                              .token = command.token,
                              .outcome = "refused",
                              .errorCode = std::move(code),
                              .error = std::move(why)});
}

void HostSession::execute(wire::Command command) {
  const auto action = bmc::parsePowerAction(command.action);
  if (!action) return refuse(command, "unsupported", "this agent does not know the action '" + command.action + "'");
  if (!lease_.covers(command.token)) return refuse(command, "stale-token", "the command belongs to another lease");
  if (!lease_.validAt(runtime_.clock.now())) return refuse(command, "no-lease", "the lease for this host has ended");
  if (running_) return refuse(command, "busy", "another command is being carried out");
  if (auto why = erasureObstacle(); !why.empty()) return refuse(command, "busy", std::move(why));
  if (preparesBoot_ && action != bmc::PowerAction::hardOff)
    return refuse(command, "busy", "what the host boots from is being set");
  // The restart could happen twice: the sender may not know yet, or no longer, how the last one ended. So it is told
  // the earlier results.
  if (journal_.highest(command.host) < command.token && journal_.hasUnacknowledged(command.host)) {
    refuse(command, "busy", "the result of an earlier command is on its way to the coordinator");
    for (auto& result : journal_.unacknowledged())
      if (result.host == command.host) report_(journal_.withAge(std::move(result), machineTime()));
    return;
  }
  if (!driver_) return refuse(command, observed_->errorCode, observed_->error);
  try {
    if (!journal_.begin(command.host, command.token, command.action))
      return refuse(command, "stale-token", "this command or a newer one was carried out before");
  } catch (const base::Error& error) {
    return refuse(command, "journal", error.what());
  }
  running_ = command;
  tasks_.spawn(fmt::format("{} of {}", command.action, grant_.name), run(command, *action));
}

// False: it is not durable that the command was begun, and it was refused.
base::Task<bool> HostSession::beginInJournal(wire::Command command) {
  try {
    co_await journal_.synced();
    co_return true;
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    report_(end(command, {.host = command.host,
                          .token = command.token,
                          .outcome = "refused",
                          .action = command.action,
                          .errorCode = "journal",
                          .error = error.what()}));
  }
  co_return false;
}

base::Task<void> HostSession::run(wire::Command command, bmc::PowerAction action) {
  wire::CommandResult result{.host = command.host, .token = command.token, .outcome = "done", .action = command.action};
  LeaseGuard guard(*this, driver_, command.token);
  proof_ = {};
  try {
    if (!co_await beginInJournal(command)) co_return;
    const auto lane = action == bmc::PowerAction::hardOff ? bmc::Lane::fencing : bmc::Lane::operatorCommand;
    const auto change = co_await bmc::changePower(runtime_.clock, guard, lane, action, settings_.powerLimits);
    result.commandSent = change.commandSent;
    result.power = toText(observed_->power.power);  // the latest; it may be lost again
    result.powerAgeMs = ageMs(observed_->powerAt);
  } catch (const bmc::Error& error) {
    const bool notPermitted = error.code() == bmc::Error::Code::notPermitted;
    const bool lostLease = notPermitted && !guard.hasAsked();
    const bool unknown = error.code() == bmc::Error::Code::outcomeUnknown || (notPermitted && guard.hasAsked());
    // A shutdown that nobody has begun has not failed: the operating system is asked again before the power is cut.
    const bool notAsked = !guard.hasTried() && !guard.hasAsked() && concernsAccess(error.code());
    result.outcome = lostLease || notAsked ? "refused" : unknown ? "unknown" : "failed";
    result.errorCode = guard.isUnrecorded() ? "journal"
                       : lostLease          ? "no-lease"
                       : notAsked           ? refusalCode(error.code())
                                            : toText(error.code());
    result.error = error.what();
  } catch (const base::Cancelled&) {
    const bool sent = journal_.hasSent(command.host);
    result.outcome = sent ? "unknown" : "refused";
    result.errorCode = sent ? "" : "not-asked";
    result.error = "the agent gave the host up while it carried out the command";
    report_(end(command, std::move(result)));
    throw;
  } catch (const std::exception& error) {  // nothing that a BMC can do: ours
    result.outcome = journal_.hasSent(command.host) ? "unknown" : "failed";
    result.errorCode = "internal";
    result.error = error.what();
  }
  co_await tellEnd(end(command, std::move(result)));
  sendSnapshot();
}

// It is told all the same where the journal cannot be written; after a crash its outcome would be unknown.
base::Task<void> HostSession::tellEnd(wire::CommandResult result) {
  try {
    co_await journal_.synced();
  } catch (const base::Cancelled&) {
    report_(std::move(result));
    throw;
  } catch (const base::Error& error) {
    runtime_.log.error("the journal could not be written", {{"host", grant_.name}, {"error", error.what()}});
  }
  report_(std::move(result));
}

wire::CommandResult HostSession::end(const wire::Command& command, wire::CommandResult result) {
  running_.reset();
  try {
    journal_.finish(result);
  } catch (const base::Error& error) {
    runtime_.log.error("the journal could not be written", {{"host", grant_.name}, {"error", error.what()}});
  }
  runtime_.log.info(
      "power command ended",
      {{"host", grant_.name}, {"action", command.action}, {"outcome", result.outcome}, {"error", result.error}});
  return journal_.withAge(std::move(result), machineTime());
}

void HostSession::reportRunning() {
  if (!running_) return;
  const auto& [host, token, action] = *running_;
  report_(journal_.withAge({.host = host, .token = token, .outcome = "running", .action = action}, machineTime()));
}

}  // namespace ingot::agent
