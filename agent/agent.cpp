#include "agent/agent.hpp"

#include "agent/erasure_records.hpp"
#include "agent/log_positions.hpp"
#include "base/milliseconds.hpp"
#include "base/version.hpp"
#include "base/vital.hpp"
#include "base/yield.hpp"
#include "wire/codec.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration whileDown = std::chrono::milliseconds(250);  // the link comes back at any moment
constexpr base::Duration untilSent = std::chrono::milliseconds(100);  // ZeroMQ drops what is left at the end
constexpr base::Duration logOutTime = std::chrono::seconds(3);        // of each BMC, when the agent ends
constexpr int messagesATurn = 16;                                     // opening a host takes a while
constexpr std::size_t mostActing = 3500;                              // uids that fit in a message

}  // namespace

Agent::Agent(base::Runtime runtime, wire::AgentLink& link, bmc::Transports transports, JournalStore& journal,
             AgentSettings settings)
    : runtime_(runtime),
      link_(link),
      transports_(transports),
      journal_(journal),
      settings_(std::move(settings)),
      started_(runtime.clock.now()),
      outbox_(runtime, link, [this] { return stamp(); }),
      closing_(runtime.executor, runtime.log) {
  settings_.remembered.disk = settings_.disk;
  settings_.session.bmcs =
      std::make_shared<bmc::BmcPool>(runtime_, transports_, settings_.session.governor, settings_.remembered);
  settings_.session.logPositions = std::make_shared<LogPositions>(runtime_, settings_.logPositions, settings_.disk);
  settings_.session.erasures = std::make_shared<ErasureRecords>(runtime_, settings_.erasures, settings_.disk);
  highestTerm_ = journal_.highestTerm();
  recordInFlight();
  if (!journal_.trouble().empty()) tellJournalTrouble();
  journal_.whenTroubleTurns([this] { tellJournalTrouble(); });
  for (const auto& host : journal_.damaged()) {
    runtime_.log.error("the journal of a host was damaged: it is not commanded before the coordinator was restarted",
                       {{"host", host == everyHost ? "every one" : host}});
  }
}

Agent::~Agent() = default;

base::Task<void> Agent::run() {
  base::VitalTasks tasks(runtime_.executor, runtime_.log);
  tasks.spawn("listen to the coordinator", listen());
  tasks.spawn("heartbeat", sendHeartbeats());
  tasks.spawn("tell what was gathered", outbox_.run());
  tasks.spawn("write what the disk did not take", retryJournal());
  std::exception_ptr failure;
  try {
    co_await tasks.run();
  } catch (const base::Cancelled&) {  // asked to stop
  } catch (...) {
    failure = std::current_exception();
  }
  isEnding_ = true;
  send(wire::Leaving{});
  for (const auto& [host, session] : sessions_) session->leave();
  wipeAll("the agent stops");
  co_await base::shielded(runtime_.clock.sleepFor(untilSent));
  co_await base::shielded(closing_.join());  // a write that is under way is waited for
  co_await closing_.close();
  if (failure) std::rethrow_exception(failure);
}

base::Task<void> Agent::listen() {
  for (int heard = 1;; ++heard) {
    auto bytes = co_await link_.receive();
    if (heard % messagesATurn == 0) co_await base::yieldToLoop();  // a thousand grants keep no heartbeat waiting
    try {
      if (const auto message = wire::decode(bytes)) handle(*message);
    } catch (const std::exception& error) {  // not a message, or the journal cannot be written
      runtime_.log.warn("dropped a message of the coordinator", {{"error", error.what()}});
    }
    base::wipe(bytes);  // it may have held a password
  }
}

base::Task<void> Agent::sendHeartbeats() {
  while (true) {
    const bool sent = welcomed_ ? sendHeartbeat() : sendHello();
    const auto pause = welcomed_ ? heartbeat_ : settings_.helloInterval;
    co_await runtime_.clock.sleepFor(sent ? pause : std::min(pause, whileDown));
  }
}

bool Agent::sendHello() {
  const auto now = stamp();
  outbox_.beginCredit(now);
  const bool sent =
      send(wire::Hello{.newest = wire::newestVersion,
                       .name = settings_.name,
                       .software = base::version,
                       .boot = settings_.boot,
                       .stampMs = now,
                       .ended = settings_.ended,
                       .term = highestTerm_,
                       .capabilities = {std::string(wire::inventoryCapability), std::string(wire::bootCapability),
                                        std::string(wire::eraseCapability)}});
  for (auto& result : journal_.unacknowledged()) send(journal_.withAge(std::move(result), machineTime()));
  for (const auto& [host, session] : sessions_) session->reportRunning();
  return sent;
}

bool Agent::sendHeartbeat() {
  std::erase_if(inFlight_, [this](const auto& host) { return isIdle(host); });
  // A list that does not fit in a message is none: others wait until our leases have expired.
  const bool isTooLong = inFlight_.size() > mostActing;
  reportedTerm_ = journal_.term();
  return send(wire::Heartbeat{
      .seq = ++heartbeats_,
      .stampMs = stamp(),
      .hosts = static_cast<std::int64_t>(sessions_.size()),
      .queued = static_cast<std::int64_t>(outbox_.queued()),
      .dropped = outbox_.dropped(),
      .spent = outbox_.spent(),
      .term = isTooLong ? 0 : reportedTerm_,
      .acting = isTooLong ? std::vector<std::string>{} : std::vector<std::string>{inFlight_.begin(), inFlight_.end()}});
}

bool Agent::isWriting(const std::string& host) const {
  const auto closing = closingSessions_.find(host);
  if (closing != closingSessions_.end() && closing->second.session->isWriting()) return true;
  const auto found = sessions_.find(host);
  return found != sessions_.end() && found->second->isWriting();
}

bool Agent::isIdle(const std::string& host) const { return !isWriting(host) && !journal_.hasUnacknowledged(host); }

void Agent::recordInFlight() {
  for (auto& host : journal_.hostsWithUnacknowledged()) inFlight_.insert(std::move(host));
  for (const auto& [host, session] : sessions_)
    if (session->isWriting()) inFlight_.insert(host);
  for (const auto& [host, closing] : closingSessions_)
    if (closing.session->isWriting()) inFlight_.insert(host);
}

// Other agents may be waiting for it.
void Agent::reportIdleHosts() {
  if (welcomed_ && std::ranges::any_of(inFlight_, [this](const auto& host) { return isIdle(host); })) sendHeartbeat();
}

bool Agent::actsOn(const std::string& host) const {
  const auto found = sessions_.find(host);
  return isWriting(host) || (found != sessions_.end() && found->second->holdsLease());
}

Agent::Standing Agent::standing() const {
  Standing now{.connected = welcomed_,
               .approved = approved_,
               .isJournalWritable = journal_.trouble().empty(),
               .queued = outbox_.queued(),
               .dropped = outbox_.dropped(),
               .hosts = {}};
  now.hosts.reserve(sessions_.size());
  for (const auto& [host, session] : sessions_) now.hosts.push_back(session->standing());
  return now;
}

void Agent::handle(const wire::Message& message) {
  std::visit([this](const auto& body) { on(body); }, message);
}

void Agent::on(const wire::Welcome& welcome) {
  if (welcome.version < wire::oldestVersion || welcome.version > wire::newestVersion) {
    runtime_.log.error("the coordinator speaks another version of the protocol; install matching versions",
                       {{"coordinator", welcome.version},
                        {"agent", fmt::format("{} to {}", wire::oldestVersion, wire::newestVersion)}});
    return;
  }
  adoptTerm(welcome.term);
  if (welcome.sayHello) return static_cast<void>(sendHello());
  const bool nowApproved = welcome.state == "approved";
  if (!welcomed_ || nowApproved != approved_ || std::exchange(lastReason_, welcome.reason) != welcome.reason)
    runtime_.log.info("the coordinator answered", {{"state", welcome.state}, {"reason", welcome.reason}});
  welcomed_ = true;
  approved_ = nowApproved;
  heartbeat_ = std::clamp<base::Duration>(base::fromMilliseconds(welcome.heartbeatMs), std::chrono::milliseconds(200),
                                          std::chrono::seconds(30));
  if (!approved_) wipeAll("the coordinator no longer approves this agent");
  outbox_.speak(welcome.version, welcome.credit);
  for (const auto& [host, session] : sessions_) session->speak(welcome.version);
  if (journal_.term() != reportedTerm_) sendHeartbeat();
}

void Agent::on(const wire::Grant& grant) {
  if (grant.token.term < highestTerm_) {
    runtime_.log.warn("refused a grant of an earlier coordinator", {{"host", grant.name}, {"term", grant.token.term}});
    return;
  }
  adoptTerm(grant.token.term);
  const auto until = leaseEnd(grant.echoMs, grant.ttlMs);
  if (const auto found = sessions_.find(grant.host); found != sessions_.end())
    return found->second->regrant(grant, until);
  if (const auto closing = closingSessions_.find(grant.host); closing != closingSessions_.end()) {
    closing->second.next = grant;
    closing->second.nextUntil = until;
    return;
  }
  open(grant, until);
}

void Agent::open(const wire::Grant& grant, base::MonoTime until) {
  const auto report = [this](wire::Message message) {
    if (auto* facts = std::get_if<wire::Facts>(&message)) facts->stampMs = stamp();
    if (whenTold_) whenTold_(message);
    send(message);
    if (std::holds_alternative<wire::Idle>(message)) reportIdleHosts();
  };
  sessions_[grant.host] =
      std::make_shared<HostSession>(runtime_, transports_, journal_, settings_.session, grant, until, report);
  sessions_[grant.host]->speak(outbox_.version());
  runtime_.log.info("serving host", {{"host", grant.name}, {"address", grant.address}});
}

void Agent::on(const wire::Renew& renew) {
  if (renew.term < highestTerm_) return;
  const auto until = leaseEnd(renew.echoMs, renew.ttlMs);
  for (const auto& lease : renew.leases)
    if (const auto found = sessions_.find(lease.host); found != sessions_.end())
      found->second->renew(renew.term, lease.lease, until);
}

void Agent::on(const wire::Revoke& revoke) {
  if (const auto found = sessions_.find(revoke.host); found != sessions_.end()) {
    if (!found->second->revoke(revoke.term, revoke.lease) || !revoke.forget) return;
    settings_.session.logPositions->forget(revoke.host);
    return drop(revoke.host);
  }
  const auto closing = closingSessions_.find(revoke.host);
  if (closing == closingSessions_.end())
    return static_cast<void>(send(wire::Idle{revoke.host, revoke.term, revoke.lease}));
  closing->second.pendingRevoke = revoke;
  closing->second.next.reset();  // messages arrive in order: the pending grant is older than this
}

void Agent::on(const wire::Command& command) {
  if (const auto found = sessions_.find(command.host); found != sessions_.end()) return found->second->execute(command);
  send(wire::CommandResult{.host = command.host,
                           .token = command.token,
                           .outcome = "refused",
                           .errorCode = "no-lease",
                           .error = "this agent does not serve the host"});
}

void Agent::on(const wire::CommandQuery& query) {
  if (auto result = journal_.resolve(query.host, query.token))
    closing_.spawn("tell what became of a command", tell(journal_.withAge(std::move(*result), machineTime())));
}

// Once it holds after a crash, too. What cannot be written is asked for again.
base::Task<void> Agent::tell(wire::CommandResult result) {
  try {
    co_await journal_.synced();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    runtime_.log.error("the journal could not be written", {{"error", error.what()}});
    co_return;
  }
  send(result);
}

void Agent::on(const wire::Acknowledge& acknowledge) {
  journal_.acknowledge(acknowledge.host, acknowledge.token);
  reportIdleHosts();
}

void Agent::on(const wire::SnapshotRequest& request) {
  if (request.host.empty())
    for (const auto& [host, session] : sessions_) session->sendSnapshot();
  else if (const auto found = sessions_.find(request.host); found != sessions_.end())
    found->second->sendSnapshot();
}

void Agent::on(const wire::InventoryRequest& request) {
  if (const auto found = sessions_.find(request.host); found != sessions_.end())
    return found->second->takeInventory(request.id);
  send(wire::InventoryResult{.host = request.host,
                             .id = request.id,
                             .outcome = "failed",
                             .errorCode = "no-lease",
                             .error = "this agent does not serve the host"});
}

void Agent::on(const wire::BootRequest& request) {
  if (const auto found = sessions_.find(request.host); found != sessions_.end())
    return found->second->prepareBoot(request);
  send(wire::BootResult{.host = request.host,
                        .token = request.token,
                        .outcome = "refused",
                        .errorCode = "no-lease",
                        .error = "this agent does not serve the host"});
}

void Agent::on(const wire::EraseRequest& request) {
  if (request.token.term < highestTerm_) return;  // of a coordinator before
  if (const auto found = sessions_.find(request.host); found != sessions_.end())
    return found->second->eraseDrives(request);
  send(wire::EraseReport{.host = request.host,
                         .token = request.token,
                         .job = request.job,
                         .outcome = "refused",
                         .errorCode = "no-lease",
                         .error = "this agent does not serve the host"});
}

void Agent::on(const wire::LogAcknowledge& acknowledge) {
  if (const auto found = sessions_.find(acknowledge.host); found != sessions_.end())
    found->second->acknowledgeLog(acknowledge);
}

void Agent::drop(const std::string& host) {
  const auto found = sessions_.find(host);
  if (found == sessions_.end()) return;
  outbox_.forget(host);
  closingSessions_[host] = {.session = found->second};
  closing_.spawn("close the session of a host", closeSession(host, std::move(found->second)));
  sessions_.erase(found);
}

void Agent::wipeAll(const std::string& why) {
  if (!sessions_.empty()) runtime_.log.info("giving up all hosts", {{"why", why}, {"hosts", sessions_.size()}});
  for (auto& [host, closing] : closingSessions_) closing.next.reset();
  while (!sessions_.empty()) drop(sessions_.begin()->first);
}

base::Task<void> Agent::closeSession(std::string host, std::shared_ptr<HostSession> session) {
  co_await session->close(isEnding_ ? std::optional(logOutTime) : std::nullopt);
  auto closing = closingSessions_.extract(host).mapped();
  session.reset();
  closing.session.reset();
  if (closing.pendingRevoke) send(wire::Idle{host, closing.pendingRevoke->term, closing.pendingRevoke->lease});
  if (closing.next) open(*closing.next, closing.nextUntil);
  reportIdleHosts();
}

std::int64_t Agent::stamp() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(runtime_.clock.now() - started_).count() + 1;
}

// Leases count from the moment the echoed stamp was taken; a stamp that this agent never sent gives no lease.
base::MonoTime Agent::leaseEnd(std::int64_t echoMs, std::int64_t ttlMs) const {
  if (echoMs <= 0 || echoMs > stamp()) return started_;
  return started_ + std::chrono::milliseconds(echoMs - 1) +
         std::chrono::milliseconds(std::clamp<std::int64_t>(ttlMs, 0, 60000));
}

}  // namespace ingot::agent
