#include "agent/host_session.hpp"

#include "bmc/model/address.hpp"

namespace ingot::agent {

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
  Guarded(HostSession& session, std::shared_ptr<bmc::Driver> driver) : session_(session), driver_(std::move(driver)) {}

  base::Task<bmc::Identity> identify() override { return driver_->identify(); }
  base::Task<bmc::PowerReading> readPower() override { return driver_->readPower(); }
  base::Task<bmc::Health> readHealth() override { return driver_->readHealth(); }
  base::Task<void> close() override { return driver_->close(); }

  base::Task<void> requestPower(bmc::PowerAction action) override {
    if (!session_.lease_.validAt(session_.runtime_.clock.now()))
      throw bmc::Error(bmc::Error::Code::refused, "the lease for this host ran out or was revoked before the command was sent");
    ++session_.writing_;
    const Writing writing(session_);
    co_await driver_->requestPower(action);
  }

 private:
  struct Writing {
    explicit Writing(HostSession& session) : session(session) {}
    ~Writing() {
      --session.writing_;
      session.reportIdleWhenStill();
    }
    HostSession& session;
  };

  HostSession& session_;
  std::shared_ptr<bmc::Driver> driver_;
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
      tasks_(runtime.executor, runtime.log) {
  openBmc();
  if (!grant_.mayAct) report_(wire::Idle{grant_.host, grant_.token.lease});
  tasks_.spawn("poll power of " + grant_.name, pollPower());
  tasks_.spawn("poll health of " + grant_.name, pollHealth());
}

HostSession::~HostSession() = default;

void HostSession::openBmc() {
  driver_ = nullptr;
  try {
    bmc::Target target{.address = bmc::parseAddress(grant_.address),
                       .login = {grant_.username, base::Secret(grant_.password)},
                       .verifyCertificate = grant_.verifyCertificate,
                       .caFile = settings_.caFile};
    driver_ = bmc::openDriver(runtime_, transports_, std::move(target));
    known_->errorCode.clear();
    known_->error.clear();
  } catch (const base::Error& error) {   // the coordinator has checked the address: this is a stray, say so and wait
    known_->errorCode = "bad-address";
    known_->error = error.what();
    sendSnapshot();
  }
}

void HostSession::regrant(wire::Grant grant, base::MonoTime leaseUntil) {
  if (grant.token < lease_.grant()) return;
  const bool otherBmc = grant.address != grant_.address || grant.username != grant_.username ||
                        grant.password != grant_.password || grant.verifyCertificate != grant_.verifyCertificate;
  grant_ = std::move(grant);
  lease_ = Lease(grant_.token, leaseUntil, grant_.mayAct);
  idleOwedFor_ = grant_.mayAct ? 0 : grant_.token.lease;   // told to rest: say when that is so
  reportIdleWhenStill();
  if (!otherBmc) return;
  if (driver_) tasks_.spawn("log out of the old BMC session", logOut(driver_));
  governor_.credentialsChanged();
  *known_ = {};
  openBmc();
  wake_.notifyAll();
}

void HostSession::renew(std::int64_t lease, base::MonoTime until) {
  if (lease == lease_.grant().lease) lease_.renew(until);
}

void HostSession::revoke(std::int64_t lease) {
  if (lease < lease_.grant().lease) return;   // an old revocation that overtook nothing
  lease_.revoke();
  idleOwedFor_ = lease;
  reportIdleWhenStill();
}

void HostSession::reportIdleWhenStill() {
  if (idleOwedFor_ == 0 || writing_ > 0) return;
  report_(wire::Idle{grant_.host, std::exchange(idleOwedFor_, 0)});
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
  if (commandRunning_) return refuse(command, "busy", "another command is being carried out");
  if (!driver_) return refuse(command, known_->errorCode, known_->error);
  try {
    if (!journal_.begin(command.host, command.token, command.action))
      return refuse(command, "stale-token", "this command or a newer one was carried out before");
  } catch (const base::Error& error) {
    return refuse(command, "journal", error.what());
  }
  commandRunning_ = true;
  tasks_.spawn(fmt::format("{} of {}", command.action, grant_.name), run(std::move(command), *action));
}

base::Task<void> HostSession::run(wire::Command command, bmc::PowerAction action) {
  wire::CommandResult result{.host = command.host, .token = command.token, .outcome = "done"};
  Guarded guarded(*this, driver_);
  try {
    const auto change = co_await bmc::changePower(runtime_.clock, governor_, guarded, bmc::Lane::operatorCommand, action,
                                                  settings_.powerLimits);
    result.commandSent = change.commandSent;
    result.power = toText(change.reading.power);
    result.powerAgeMs = 0;
    note(change.reading);
  } catch (const bmc::Error& error) {
    result.outcome = "failed";
    result.errorCode = toText(error.code());
    result.error = error.what();
  }
  commandRunning_ = false;
  journal_.finish(result);
  runtime_.log.info("power command ended", {{"host", grant_.name}, {"action", command.action}, {"outcome", result.outcome},
                                            {"error", result.error}});
  report_(std::move(result));
  sendSnapshot();
}

base::Task<void> HostSession::pollPower() {
  while (true) {
    if (const auto driver = driver_) {
      try {
        if (!known_->identity)
          known_->identity = co_await governor_.run<bmc::Identity>(bmc::Lane::polling, [driver] { return driver->identify(); });
        note(co_await governor_.run<bmc::PowerReading>(bmc::Lane::polling, [driver] { return driver->readPower(); }));
      } catch (const bmc::Error& error) {
        noteFailure(error);
      }
      sendSnapshot();
    }
    co_await wake_.waitUntil(runtime_.clock, runtime_.clock.now() + jittered(grant_.powerPollMs));
  }
}

base::Task<void> HostSession::pollHealth() {
  while (true) {
    if (const auto driver = driver_) {
      try {
        known_->health = co_await governor_.run<bmc::Health>(bmc::Lane::polling, [driver] { return driver->readHealth(); });
        known_->healthAt = runtime_.clock.now();
      } catch (const bmc::Error& error) {
        noteFailure(error);
      }
    }
    co_await runtime_.clock.sleepFor(jittered(grant_.healthPollMs));
  }
}

void HostSession::note(const bmc::PowerReading& reading) {
  known_->power = reading;
  known_->powerAt = runtime_.clock.now();
  known_->errorCode.clear();
  known_->error.clear();
}

void HostSession::noteFailure(const bmc::Error& error) {
  // Being left alone on purpose is no news: the reason that led there stays.
  const bool leftAlone = error.code() == bmc::Error::Code::lockedOut || (governor_.circuitOpen() && !known_->errorCode.empty());
  if (leftAlone && !known_->errorCode.empty()) return;
  known_->errorCode = toText(error.code());
  known_->error = error.what();
}

void HostSession::sendSnapshot() {
  const auto now = runtime_.clock.now();
  const auto identity = known_->identity.value_or(bmc::Identity{});
  const auto age = [&](const std::optional<base::MonoTime>& at) -> std::int64_t {
    return at ? std::chrono::duration_cast<std::chrono::milliseconds>(now - *at).count() : -1;
  };
  report_(wire::Facts{.host = grant_.host,
                      .seq = ++factSeq_,
                      .lease = lease_.grant().lease,
                      .power = std::string(toText(known_->power.power)),
                      .rawPower = known_->power.raw,
                      .powerAgeMs = age(known_->powerAt),
                      .health = std::string(toText(known_->health)),
                      .healthAgeMs = age(known_->healthAt),
                      .bmcErrorCode = known_->errorCode,
                      .bmcError = known_->error,
                      .vendor = identity.vendor,
                      .model = identity.model,
                      .serialNumber = identity.serialNumber,
                      .bmcFirmware = identity.bmcFirmware});
}

base::Task<void> HostSession::logOut(std::shared_ptr<bmc::Driver> old) {
  co_await governor_.run<void>(bmc::Lane::polling, [old] { return old->close(); });
}

base::Task<void> HostSession::close() {
  lease_.revoke();
  co_await tasks_.close();
  if (driver_) co_await driver_->close();
  driver_ = nullptr;
  base::wipe(grant_.password);
}

base::Duration HostSession::jittered(std::int64_t ms) {
  const double spread = 0.9 + 0.2 * runtime_.random.unit();
  return std::chrono::duration_cast<base::Duration>(std::chrono::duration<double, std::milli>(static_cast<double>(ms) * spread));
}

}  // namespace ingot::agent
