#include "agent/host_session.hpp"

#include "agent/erasure_records.hpp"
#include "agent/host_observed.hpp"
#include "agent/log_positions.hpp"
#include "bmc/model/address.hpp"

namespace ingot::agent {

namespace {

bool isSameAccess(const wire::Grant& a, const wire::Grant& b) {
  return a.address == b.address && a.username == b.username && a.password == b.password &&
         a.verifyCertificate == b.verifyCertificate && a.ca == b.ca && a.pinnedKeys == b.pinnedKeys &&
         a.legacyTls == b.legacyTls;
}

// So long reading the hardware of all hosts takes, when nobody knows it yet.
constexpr base::Duration readOfAll = std::chrono::minutes(10);

base::Task<void> closed(std::shared_ptr<bmc::Driver> driver) { co_await driver->close(); }

}  // namespace

HostSession::HostSession(base::Runtime runtime, bmc::Transports transports, Journal& journal, SessionSettings settings,
                         wire::Grant grant, base::MonoTime leaseUntil, Report report)
    : runtime_(runtime),
      journal_(journal),
      settings_(std::move(settings)),
      grant_(std::move(grant)),
      lease_(grant_.token, leaseUntil, grant_.mayAct),
      report_(std::move(report)),
      observed_(std::make_unique<Observed>()),
      pace_(runtime),
      wake_(runtime.executor),
      polled_(runtime.executor),
      accessed_(runtime.executor),
      quiesced_(runtime.executor),
      pushed_(runtime.executor),
      ordered_(runtime.executor),
      tasks_(runtime.executor, runtime.log) {
  if (!settings_.bmcs) settings_.bmcs = std::make_shared<bmc::BmcPool>(runtime_, transports, settings_.governor);
  if (!settings_.erasures) settings_.erasures = std::make_shared<ErasureRecords>(runtime_, "");
  if (!settings_.logPositions) settings_.logPositions = std::make_shared<LogPositions>(runtime_, "");
  openBmc();
  hardwareMayDiffer(readOfAll);
  if (!grant_.mayAct) report_(wire::Idle{.host = grant_.host, .term = grant_.token.term, .lease = grant_.token.lease});
  tasks_.spawn("poll power of " + grant_.name, pollPower());
  tasks_.spawn("poll health of " + grant_.name, pollHealth());
  // After power and identity.
  tasks_.spawn("read sensors of " + grant_.name, keepReading({.what = "sensors",
                                                              .intervalMs = &wire::Grant::sensorPollMs,
                                                              .untilFirst = std::chrono::seconds(10),
                                                              .read = &HostSession::readSensors}));
  tasks_.spawn("read logs of " + grant_.name, keepReading({.what = "logs",
                                                           .intervalMs = &wire::Grant::logPollMs,
                                                           .untilFirst = std::chrono::seconds(20),
                                                           .heedsEvents = true,
                                                           .read = &HostSession::readLogs}));
  tasks_.spawn("read the hardware of " + grant_.name, keepReading({.what = "hardware",
                                                                   .intervalMs = &wire::Grant::inventoryPollMs,
                                                                   .untilFirst = std::chrono::seconds(30),
                                                                   .isDue = &HostSession::isHardwareDue,
                                                                   .read = &HostSession::readHardware}));
  if (settings_.followsEvents) {
    tasks_.spawn("follow events of " + grant_.name, followEvents());
    tasks_.spawn("heed events of " + grant_.name, heedEvents());
  } else {
    eventsState_ = EventsState::off;
  }
}

HostSession::~HostSession() = default;

void HostSession::openBmc() {
  driver_ = nullptr;
  try {
    driver_ = settings_.bmcs->open({.address = bmc::parseAddress(grant_.address),
                                    .login = {grant_.username, grant_.password},
                                    .verifyCertificate = grant_.verifyCertificate,
                                    .caFile = settings_.caFile,
                                    .caPem = grant_.ca,
                                    .pinnedKeys = grant_.pinnedKeys,
                                    .legacyTls = grant_.legacyTls});
    observed_->errorCode.clear();
    observed_->error.clear();
    if (settings_.followsEvents) eventsState_ = driver_->events ? EventsState::notYet : EventsState::none;
    goOnWithErasure();
  } catch (const net::HttpError& error) {  // a CA file that cannot be read, say
    noteUnopened("tls", error.what());
  } catch (const base::Error& error) {  // the coordinator checks addresses, so this is unexpected: report it and wait
    noteUnopened("bad-address", error.what());
  }
}

void HostSession::noteUnopened(std::string code, std::string why) {
  if (observed_->errorCode == code && observed_->error == why) return;
  observed_->errorCode = std::move(code);
  observed_->error = std::move(why);
  sendSnapshot();
}

void HostSession::regrant(wire::Grant grant, base::MonoTime leaseUntil) {
  if (grant.token < lease_.grant()) return;
  const bool otherBmc = !isSameAccess(grant, grant_);
  const bool wasHolder = takeHeldLease();
  // What somebody else has made of the host is read at once: the coordinator accepts no reading that is older than the
  // lease it granted last.
  const bool sameLease = holdsLease() && lease_.is(grant.token.term, grant.token.lease);
  const bool isReadSooner = grant.powerPollMs < grant_.powerPollMs;
  if ((grant.mayAct && !sameLease) || isReadSooner) {
    pollNow_ = true;
    wake_.notifyAll();
  }
  const bool otherTerm = grant.token.term != grant_.token.term;  // of a coordinator that knows nothing of the hardware
  grant_ = std::move(grant);
  if (otherTerm) hardwareMayDiffer(readOfAll);
  lease_ = Lease(grant_.token, leaseUntil, grant_.mayAct);
  pendingIdle_.reset();
  if (!grant_.mayAct) {  // read only: report when no write is in flight
    pendingIdle_ = wire::Idle{grant_.host, grant_.token.term, grant_.token.lease, wasHolder};
    reportIdleWhenQuiesced();
  }
  if (!otherBmc) return;
  if (eventsFollow_) eventsFollow_->abort();
  accessed_.notifyAll();
  if (driver_) tasks_.spawn("log out of the old BMC session", closed(driver_));
  *observed_ = {};
  proof_ = {};
  inventory_.reset();
  logMarks_.clear();
  logsTold_.clear();
  logsEmptySince_.clear();
  pace_.succeeded();
  openBmc();
  hardwareMayDiffer(std::chrono::minutes(1));
  if (driver_) settings_.bmcs->closeCircuit(bmc::parseAddress(grant_.address));
  pollNow_ = true;
  wake_.notifyAll();
}

void HostSession::renew(std::int64_t term, std::int64_t lease, base::MonoTime until) {
  if (lease_.is(term, lease)) lease_.renew(until);
}

bool HostSession::revoke(std::int64_t term, std::int64_t lease) {
  if (lease_.newerThan(term, lease)) return false;
  const bool wasHolder = takeHeldLease() || (pendingIdle_ && pendingIdle_->wasHolder);
  lease_.revoke();
  pendingIdle_ = wire::Idle{grant_.host, term, lease, wasHolder};
  reportIdleWhenQuiesced();
  return true;
}

void HostSession::preempt() {
  preempted_ = holdsLease();
  lease_.revoke();
}

// The session held a valid lease until now.
bool HostSession::takeHeldLease() { return holdsLease() || std::exchange(preempted_, false); }

void HostSession::reportIdleWhenQuiesced() {
  if (writing_ > 0) return;
  quiesced_.notifyAll();
  if (pendingIdle_ && !writeAbandoned_) report_(*std::exchange(pendingIdle_, std::nullopt));
}

base::Task<void> HostSession::logOutWithin(base::Duration limit) {
  try {
    co_await base::withTimeout(runtime_.clock, limit, "logging out of the BMC", driver_->close());
  } catch (const base::TimedOut& error) {
    runtime_.log.warn("the agent stops before the session of a BMC was closed",
                      {{"host", grant_.name}, {"error", error.what()}});
  }
}

base::Task<void> HostSession::close(std::optional<base::Duration> forLogOut) {
  lease_.revoke();
  try {
    while (writing_ > 0) co_await quiesced_.wait();
  } catch (const base::Cancelled&) {  // out of time: what follows is quick or throws it again
  }
  co_await tasks_.close();
  if (driver_ && forLogOut)
    co_await logOutWithin(*forLogOut);
  else if (driver_)
    co_await driver_->close();
  driver_ = nullptr;
  grant_.password = {};
}

}  // namespace ingot::agent
