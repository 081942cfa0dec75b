#include "agent/host_session.hpp"

#include "bmc/model/address.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration shortestWrite = std::chrono::seconds(1);

}  // namespace

struct HostSession::Known {
  bmc::PowerReading power;
  std::optional<base::MonoTime> powerAt, healthAt;
  bmc::Health health = bmc::Health::unknown;
  std::string errorCode, error;
  std::optional<bmc::Identity> identity;
};

// Lets a write through only under a valid lease, and tells when none is under way.
class HostSession::Guarded final : public bmc::Driver {
 public:
  Guarded(HostSession& session, std::shared_ptr<bmc::Driver> driver, wire::Token command)
      : session_(session), driver_(std::move(driver)), command_(command) {}

  base::Task<bmc::Identity> identify() override { return driver_->identify(); }
  base::Task<bmc::PowerReading> readPower() override {
    if (auto seen = proof().take()) co_return *seen;  // by a poll, since the request
    auto reading = co_await session_.readPower(driver_);
    co_return proof().take().value_or(reading);
  }
  base::Task<bmc::Health> readHealth() override { return driver_->readHealth(); }
  base::Task<void> close() override { return driver_->close(); }

  // Whatever the caller allows, the lease is asked too.
  base::Task<void> requestPower(bmc::PowerAction action, bmc::WritePermit) override {
    static_cast<void>(session_.permitWrite(command_));
    const Writing writing(session_);
    try {
      co_await driver_->requestPower(action, {.ask = [this] { return session_.permitWrite(command_); },
                                              .leaving = [this] { session_.recordAsking(); }});
      proof().asked(action);
    } catch (const bmc::Error& error) {
      if (error.code() == bmc::Error::Code::outcomeUnknown) proof().asked(action);
      throw;
    } catch (const base::Cancelled&) {
      session_.writeAbandoned_ = true;
      throw;
    }
  }

 private:
  struct Writing {
    explicit Writing(HostSession& of) : session(of) { ++session.writing_; }
    ~Writing() {
      --session.writing_;
      session.reportIdleWhenStill();
    }
    HostSession& session;
  };

  // What is read of another BMC, or with another password, is no proof for this one.
  ChangeProof& proof() { return driver_ == session_.driver_ ? session_.proof_ : none_; }

  HostSession& session_;
  std::shared_ptr<bmc::Driver> driver_;
  wire::Token command_;
  ChangeProof none_;
};

HostSession::HostSession(base::Runtime runtime, bmc::Transports transports, Journal& journal, SessionSettings settings,
                         wire::Grant grant, base::MonoTime leaseUntil, Report report)
    : runtime_(runtime),
      transports_(transports),
      journal_(journal),
      settings_(std::move(settings)),
      grant_(std::move(grant)),
      lease_(grant_.token, leaseUntil, grant_.mayAct),
      report_(std::move(report)),
      governor_(runtime, settings_.governor),
      known_(std::make_unique<Known>()),
      wake_(runtime.executor),
      still_(runtime.executor),
      tasks_(runtime.executor, runtime.log) {
  openBmc();
  if (!grant_.mayAct) report_(wire::Idle{.host = grant_.host, .term = grant_.token.term, .lease = grant_.token.lease});
  tasks_.spawn("poll power of " + grant_.name, pollPower());
  tasks_.spawn("poll health of " + grant_.name, pollHealth());
}

HostSession::~HostSession() = default;

void HostSession::openBmc() {
  driver_ = nullptr;
  try {
    bmc::Target target{.address = bmc::parseAddress(grant_.address),
                       .login = {grant_.username, grant_.password},
                       .verifyCertificate = grant_.verifyCertificate,
                       .caFile = settings_.caFile};
    if (settings_.bmcs) governor_.moveTo(settings_.bmcs->of(target.address));
    driver_ = bmc::openDriver(runtime_, transports_, std::move(target));
    known_->errorCode.clear();
    known_->error.clear();
  } catch (const base::Error& error) {  // the coordinator has checked the address: this is a stray, say so and wait
    known_->errorCode = "bad-address";
    known_->error = error.what();
    sendSnapshot();
  }
}

void HostSession::regrant(wire::Grant grant, base::MonoTime leaseUntil) {
  if (grant.token < lease_.grant()) return;
  const bool otherBmc = grant.address != grant_.address || grant.username != grant_.username ||
                        grant.password != grant_.password || grant.verifyCertificate != grant_.verifyCertificate;
  const bool wasHolder = takeHeld();
  if (grant.mayAct && !grant_.mayAct) {  // how somebody else has left it is soon asked
    pollNow_ = true;
    wake_.notifyAll();
  }
  grant_ = std::move(grant);
  lease_ = Lease(grant_.token, leaseUntil, grant_.mayAct);
  idleOwed_.reset();
  if (!grant_.mayAct) {  // told to rest: say when that is so
    idleOwed_ = wire::Idle{grant_.host, grant_.token.term, grant_.token.lease, wasHolder};
    reportIdleWhenStill();
  }
  if (!otherBmc) return;
  if (driver_) tasks_.spawn("log out of the old BMC session", logOut(driver_));
  governor_.credentialsChanged();
  *known_ = {};
  proof_ = {};
  openBmc();
  pollNow_ = true;
  wake_.notifyAll();
}

void HostSession::renew(std::int64_t term, std::int64_t lease, base::MonoTime until) {
  if (lease_.is(term, lease)) lease_.renew(until);
}

bool HostSession::revoke(std::int64_t term, std::int64_t lease) {
  if (lease_.newerThan(term, lease)) return false;
  const bool wasHolder = takeHeld() || (idleOwed_ && idleOwed_->wasHolder);
  lease_.revoke();
  idleOwed_ = wire::Idle{grant_.host, term, lease, wasHolder};
  reportIdleWhenStill();
  return true;
}

void HostSession::yield() {
  yielded_ = mayAct();
  lease_.revoke();
}

// It held a right to act until now.
bool HostSession::takeHeld() { return mayAct() || std::exchange(yielded_, false); }

void HostSession::reportIdleWhenStill() {
  if (writing_ > 0) return;
  still_.notifyAll();
  if (idleOwed_ && !writeAbandoned_) report_(*std::exchange(idleOwed_, std::nullopt));
}

// Throws unless the lease that the command was sent under holds long enough for a request to be worth sending. A later
// one does not do: who gave it was told that nothing is under way.
base::Duration HostSession::permitWrite(const wire::Token& command) const {
  const auto left = lease_.covers(command) ? lease_.leftAt(runtime_.clock.now()) : base::Duration{};
  if (left < shortestWrite)
    throw bmc::Error(bmc::Error::Code::notPermitted,
                     "the lease for this host ran out or was revoked before the command was sent");
  return left;
}

// Durably, so that after a crash it is known whether the BMC may have heard of the command.
void HostSession::recordAsking() {
  try {
    journal_.asking(grant_.host, machineTime());
  } catch (const base::Error& error) {
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

void HostSession::carryOut(wire::Command command) {
  const auto action = bmc::parsePowerAction(command.action);
  if (!action) return refuse(command, "unsupported", "this agent does not know the action '" + command.action + "'");
  if (!lease_.covers(command.token)) return refuse(command, "stale-token", "the command belongs to another lease");
  if (!lease_.validAt(runtime_.clock.now())) return refuse(command, "no-lease", "the lease for this host has ended");
  if (running_) return refuse(command, "busy", "another command is being carried out");
  // Who sent this may not know that result: a restart would be done twice.
  if (journal_.highest(command.host) < command.token && journal_.owesResult(command.host))
    return refuse(command, "busy", "the result of an earlier command is on its way to the coordinator");
  if (!driver_) return refuse(command, known_->errorCode, known_->error);
  try {
    if (!journal_.begin(command.host, command.token, command.action))
      return refuse(command, "stale-token", "this command or a newer one was carried out before");
  } catch (const base::Error& error) {
    return refuse(command, "journal", error.what());
  }
  running_ = command;
  const std::string name = fmt::format("{} of {}", command.action, grant_.name);
  tasks_.spawn(name, run(std::move(command), *action));
}

base::Task<void> HostSession::run(wire::Command command, bmc::PowerAction action) {
  wire::CommandResult result{.host = command.host, .token = command.token, .outcome = "done", .action = command.action};
  Guarded guarded(*this, driver_, command.token);
  proof_ = {};
  try {
    const auto change = co_await bmc::changePower(runtime_.clock, governor_, guarded, bmc::Lane::operatorCommand,
                                                  action, settings_.powerLimits);
    result.commandSent = change.commandSent;
    result.power = toText(known_->power.power);  // the latest; it may be lost again
    result.powerAgeMs = ageMs(known_->powerAt);
  } catch (const bmc::Error& error) {
    const bool lostRight = error.code() == bmc::Error::Code::notPermitted;
    const bool unknown = error.code() == bmc::Error::Code::outcomeUnknown;
    result.outcome = lostRight ? "refused" : unknown ? "unknown" : "failed";
    result.errorCode = lostRight ? "no-lease" : toText(error.code());
    result.error = error.what();
  } catch (const base::Cancelled&) {
    const bool asked = journal_.hasAsked(command.host);
    result.outcome = asked ? "unknown" : "refused";
    result.errorCode = asked ? "" : "not-asked";
    result.error = "the agent gave the host up while it carried out the command";
    end(command, std::move(result));
    throw;
  } catch (const std::exception& error) {  // nothing that a BMC can do: ours
    result.outcome = journal_.hasAsked(command.host) ? "unknown" : "failed";
    result.errorCode = "internal";
    result.error = error.what();
  }
  end(command, std::move(result));
  sendSnapshot();
}

void HostSession::end(const wire::Command& command, wire::CommandResult result) {
  running_.reset();
  try {
    journal_.finish(result);
  } catch (const base::Error& error) {  // it is told all the same; after a crash its outcome would be unknown
    runtime_.log.error("the journal could not be written", {{"host", grant_.name}, {"error", error.what()}});
  }
  runtime_.log.info(
      "power command ended",
      {{"host", grant_.name}, {"action", command.action}, {"outcome", result.outcome}, {"error", result.error}});
  report_(journal_.dated(std::move(result), machineTime()));
}

void HostSession::reportRunning() {
  if (!running_) return;
  wire::CommandResult so{
      .host = running_->host, .token = running_->token, .outcome = "running", .action = running_->action};
  report_(journal_.dated(std::move(so), machineTime()));
}

base::Task<void> HostSession::pollPower() {
  while (true) {
    if (const auto driver = driver_) {
      try {
        if (!known_->identity) {
          const auto identity =
              co_await governor_.run<bmc::Identity>(bmc::Lane::polling, [driver] { return driver->identify(); });
          if (driver == driver_) known_->identity = identity;
        }
        co_await governor_.run<bmc::PowerReading>(bmc::Lane::polling, [this, driver] { return readPower(driver); });
      } catch (const bmc::Error& error) {
        if (driver == driver_) noteFailure(error);
      } catch (const base::Cancelled&) {
        throw;
      } catch (const std::exception& error) {  // nothing that a BMC can do; the next poll may do better
        if (driver == driver_) noteFailure(bmc::Error(bmc::Error::Code::protocol, error.what()));
      }
      if (driver == driver_) sendSnapshot();  // what an earlier address or password led to is no fact of this grant
    }
    if (std::exchange(pollNow_, false)) continue;  // the BMC was changed under the poll's feet
    co_await wake_.waitUntil(runtime_.clock, runtime_.clock.now() + jittered(grant_.powerPollMs));
    pollNow_ = false;
  }
}

base::Task<void> HostSession::pollHealth() {
  while (true) {
    if (const auto driver = driver_) {
      try {
        const auto health =
            co_await governor_.run<bmc::Health>(bmc::Lane::polling, [driver] { return driver->readHealth(); });
        if (driver == driver_) {
          known_->health = health;
          known_->healthAt = runtime_.clock.now();
        }
      } catch (const bmc::Error& error) {  // whether the BMC answers at all is for the power polls to tell
        runtime_.log.debug("health was not read", {{"host", grant_.name}, {"error", error.what()}});
      } catch (const base::Cancelled&) {
        throw;
      } catch (const std::exception& error) {
        runtime_.log.warn("health was not read", {{"host", grant_.name}, {"error", error.what()}});
      }
    }
    co_await runtime_.clock.sleepFor(jittered(grant_.healthPollMs));
  }
}

// Every reading, whoever wants it, is a fact and may prove a command.
base::Task<bmc::PowerReading> HostSession::readPower(std::shared_ptr<bmc::Driver> driver) {
  const int round = proof_.round();
  auto reading = co_await driver->readPower();
  if (driver != driver_) co_return reading;
  note(reading);
  proof_.saw(round, reading);
  co_return reading;
}

void HostSession::note(const bmc::PowerReading& reading) {
  known_->power = reading;
  known_->powerAt = runtime_.clock.now();
  // Seen to change as soon as power is: a server that gets its input power back is tried again at once.
  if (reading.health) {
    known_->health = *reading.health;
    known_->healthAt = known_->powerAt;
  }
  known_->errorCode.clear();
  known_->error.clear();
}

void HostSession::noteFailure(const bmc::Error& error) {
  // Being left alone on purpose is no news: the reason that led there stays.
  const bool leftAlone =
      error.code() == bmc::Error::Code::lockedOut || (governor_.circuitOpen() && !known_->errorCode.empty());
  if (leftAlone && !known_->errorCode.empty()) return;
  known_->errorCode = toText(error.code());
  known_->error = error.what();
}

std::int64_t HostSession::ageMs(const std::optional<base::MonoTime>& at) const {
  if (!at) return -1;
  return std::chrono::duration_cast<std::chrono::milliseconds>(runtime_.clock.now() - *at).count();
}

void HostSession::sendSnapshot() {
  const auto identity = known_->identity.value_or(bmc::Identity{});
  report_(wire::Facts{.host = grant_.host,
                      .seq = ++factSeq_,
                      .term = lease_.grant().term,
                      .lease = lease_.grant().lease,
                      .power = std::string(toText(known_->power.power)),
                      .rawPower = known_->power.raw,
                      .powerAgeMs = ageMs(known_->powerAt),
                      .health = std::string(toText(known_->health)),
                      .healthAgeMs = ageMs(known_->healthAt),
                      .bmcErrorCode = known_->errorCode,
                      .bmcError = known_->error,
                      .vendor = identity.vendor,
                      .model = identity.model,
                      .serialNumber = identity.serialNumber,
                      .bmcFirmware = identity.bmcFirmware});
}

base::Task<void> HostSession::logOut(std::shared_ptr<bmc::Driver> old) {
  try {
    co_await governor_.run<void>(bmc::Lane::polling, [old] { return old->close(); });
  } catch (const bmc::Error& error) {
    runtime_.log.debug("did not log out of the BMC", {{"host", grant_.name}, {"error", error.what()}});
  }
}

base::Task<void> HostSession::close() {
  lease_.revoke();
  try {
    while (writing_ > 0) co_await still_.wait();
  } catch (const base::Cancelled&) {  // out of time: what follows is quick or throws it again
  }
  co_await tasks_.close();
  if (driver_) co_await driver_->close();
  driver_ = nullptr;
  grant_.password = {};
}

base::Duration HostSession::jittered(std::int64_t ms) {
  const double spread = 0.9 + 0.2 * runtime_.random.unit();
  return std::chrono::duration_cast<base::Duration>(
      std::chrono::duration<double, std::milli>(static_cast<double>(ms) * spread));
}

}  // namespace ingot::agent
