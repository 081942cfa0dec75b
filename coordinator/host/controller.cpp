#include "coordinator/host/controller.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/carried_status.hpp"
#include "api/retry_request.hpp"
#include "coordinator/host/absent_backend.hpp"
#include "coordinator/host/annotations.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/conditions.hpp"
#include "coordinator/host/config_data.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/detachment.hpp"
#include "coordinator/host/intake.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/machine.hpp"
#include "coordinator/host/retry.hpp"
#include "coordinator/host/same_machine.hpp"
#include "coordinator/host/wish_guard.hpp"

namespace ingot::coordinator::host {
namespace {

HostName nameOf(const api::BareMetalHost& host) { return {host.metadata.namespace_, host.metadata.name}; }

kube::Next nextAfter(std::optional<base::Duration> delay) {
  return delay ? kube::Next::after(*delay) : kube::Next::onChange();
}

// The backend may know the host although its ID was not saved. This is false for a host that was never registered and
// for a detached one, which the backend has forgotten: a node of that name is not its own.
bool mayBeUnsaved(const api::BareMetalHost& host) {
  return !worksWithoutCredentials(stateOf(host)) && !host.spec.bmc.address.empty() &&
         host.status.operationalStatus != api::operational_status::detached;
}

HostData dataFor(const api::BareMetalHost& host, const BmcAccess* access) {
  HostData data{.name = host.metadata.name, .namespace_ = host.metadata.namespace_, .uid = host.metadata.uid};
  data.bmcAddress = host.spec.bmc.address;
  if (access != nullptr) data.credentials = access->credentials;
  data.disableCertificateVerification = host.spec.bmc.disableCertificateVerification;
  data.bootMacAddress = host.spec.bootMACAddress;
  data.provisionerId = host.status.provisioning.ID;
  data.mayBeUnsaved = mayBeUnsaved(host);
  data.disablePowerOff = host.spec.disablePowerOff;
  return data;
}

std::optional<kube::ObjectReference> consumerOf(const api::BareMetalHost& host) {
  if (!host.spec.consumerRef) return std::nullopt;
  const auto& ref = *host.spec.consumerRef;
  return kube::ObjectReference{.kind = ref.kind,
                               .namespace_ = ref.namespace_,
                               .name = ref.name,
                               .uid = ref.uid,
                               .apiVersion = ref.apiVersion,
                               .resourceVersion = ref.resourceVersion,
                               .fieldPath = ref.fieldPath};
}

std::vector<std::string> nodesOf(const api::BareMetalHost& host) {
  const std::string& id = host.status.provisioning.ID;
  return id.empty() ? std::vector<std::string>{} : std::vector{id};
}

// Waits for something that the backend's return may bring.
std::vector<std::string> troubleOf(const api::BareMetalHost& host) {
  const auto& status = host.status.operationalStatus;
  const bool waits = status == api::operational_status::error || status == api::operational_status::delayed;
  return waits ? std::vector{status} : std::vector<std::string>{};
}

}  // namespace

bool mattersToHost(const api::BareMetalHost& before, const api::BareMetalHost& after) {
  return before.metadata.uid != after.metadata.uid || before.metadata.generation != after.metadata.generation ||
         before.metadata.finalizers != after.metadata.finalizers ||
         before.metadata.annotations != after.metadata.annotations ||
         before.metadata.deletionTimestamp != after.metadata.deletionTimestamp;
}

HostController::HostController(base::Runtime runtime, HostWorld world, std::size_t concurrency)
    : ObjectReconciler({world.client, world.hosts, world.events, &world.metrics, consumerOf}),
      runtime_(runtime.named("host")),
      world_(std::move(world)),
      power_(runtime_.clock, world_.power),
      cluster_(world_.client, world_.hosts, world_.secrets, world_.hardware),
      loop_(runtime_, {.name = "baremetalhost", .concurrency = concurrency, .metrics = world_.page}, *this),
      byNode_(world_.hosts, nodesOf),
      byMachine_(world_.hosts, machineNames),
      byTrouble_(world_.hosts, troubleOf),
      held_(runtime_) {
  for (const auto& host : world_.hosts.all()) claims_.note(host->metadata.key(), host.get());
  loop_.watchMain<api::BareMetalHost>(world_.hosts, mattersToHost);
  secretsListener_ = world_.secrets.listen([this](const auto& change) { secretChanged(change); });
  hostsListener_ = world_.hosts.listen([this](const auto& change) {
    if (change.before && change.after && api::asksForRetry(change.before->metadata, change.after->metadata))
      loop_.queue().forget(change.key);
    noteFormerSecrets(change);
    noteMachines(change);
  });
  backendListener_ = world_.backends.listen([this](const BackendEvent& event) {
    if (const auto* node = std::get_if<NodeChanged>(&event)) return nodeChanged(node->provisionerId);
    backendReturned();
  });
}

base::Task<void> HostController::run() {
  co_await world_.secrets.synced();
  co_await world_.hardware.synced();
  co_await world_.hosts.synced();
  noteSecretsOfNobody();
  co_await workBesideReleases();
}

void HostController::gone(const kube::ObjectKey& key) {
  waitingForSlot_.leave(key);
  trouble_.over(key);
  unread_.over(key);
  moved_.over(key);
  restated_.over(key);
  held_.forget(key);
}

base::Task<kube::Next> HostController::run(Pass& host) {
  if (paused(*host)) co_return co_await rest(host);
  const kube::ObjectKey key = host.key();
  world_.metrics.reconciled(nameOf(*host));
  waitingForBackend_.erase(key);
  moved_.over(key);
  std::exception_ptr failure;
  std::string why;
  try {
    const kube::Next next = co_await decide(host);
    trouble_.over(key);
    co_return next;
  } catch (const kube::Moved&) {
    throw;
  } catch (const ProvisionerError& error) {
    waitingForBackend_.insert(key);
    if (error.code() == ProvisionerError::Code::notReady) {
      world_.metrics.backendNotReady();
      held_.forget(key);
      throw kube::NotReady(error.what(), backendNotReadyDelay);
    }
    failure = std::current_exception();
    why = error.what();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    failure = std::current_exception();
    why = error.what();
  }
  world_.metrics.reconcileFailed();
  if (trouble_.noteFailure(key, runtime_.clock.now())) co_await tell(host.draft().before(), std::move(why));
  std::rethrow_exception(failure);
}

namespace {

std::string whyLeftAlone(const api::BareMetalHost& host) {
  constexpr auto mark = api::annotation::deleteForMove;
  if (host.metadata.beingDeleted())
    return fmt::format(
        "the host is in deletion and marked as moved away by clusterctl, and left alone. If it lives on in another "
        "cluster, take its finalizers off: without annotation {} it is deprovisioned and powered off",
        mark);
  return fmt::format(
      "the host is marked as moved away by clusterctl, and left alone. If it is to stay, remove its annotation {}; it "
      "is "
      "worked on at once then, as clusterctl has taken its pause away",
      mark);
}

}  // namespace

// A move takes moments; one that was cut off leaves its mark, and then nobody works on the host any more.
base::Task<kube::Next> HostController::rest(Pass& host) {
  if (!isAnnotated(*host, api::annotation::deleteForMove)) {
    moved_.over(host.key());
    co_return kube::Next::onChange();
  }
  if (!moved_.noteFailure(host.key(), runtime_.clock.now())) co_return kube::Next::after(worthTelling);
  host.journal().warning("BeingMoved", whyLeftAlone(*host));
  static_cast<void>(co_await host.save());
  co_return kube::Next::onChange();
}

// Without the edits of the pass that failed, which has not got as far as the power.
base::Task<void> HostController::tell(api::BareMetalHost seen, std::string why) {
  Pass untouched(world(), std::make_shared<const api::BareMetalHost>(std::move(seen)));
  showTrouble(*untouched, why);
  const auto state = parseProvisioningState(untouched->status.provisioning.state);
  if (state && rests(*state)) notePowerKnown(*untouched, false, why, runtime_.clock.wall());
  try {
    co_await save(untouched);
  } catch (const kube::Error& error) {  // the next failure tells it
    runtime_.log.debug("a lasting failure could not be told", {{"error", error.what()}});
  }
}

base::Task<kube::Next> HostController::decide(Pass& host) {
  switch (co_await takeIn({*host, cluster_, host.journal(), runtime_.clock.wall(), runtime_.log})) {
    case Taken::everything: break;
    case Taken::unsaved: co_return co_await saveTakenIn(host);
    case Taken::nothing: co_await save(host); co_return kube::Next::onChange();
  }
  co_await releaseFormerSecrets(*host, host.journal());
  auto found = co_await access(host);
  if (auto* problem = std::get_if<CredentialsProblem>(&found)) {
    co_return co_await refuse(host, std::move(*problem));
  }
  auto usable = std::get<std::optional<BmcAccess>>(std::move(found));
  co_await claimPreprovisioningNetworkData(*host, cluster_, runtime_.log);
  std::unique_ptr<Provisioner> backend;
  std::optional<ProvisionerError> absence;
  try {
    backend = co_await open(host, usable ? &*usable : nullptr);
  } catch (const ProvisionerError& error) {
    if (error.code() != ProvisionerError::Code::notReady) throw;
    absence = error;
  }
  if (absence) {
    co_await recordPower(host, *absence);
    throw *absence;
  }
  backendGoneSince_.reset();
  co_return co_await work(host, std::move(usable), *backend);
}

// The power that an agent reads stays valid, and what the backend said last counts for a while. No command is given,
// because nobody knows whether the backend is at work on the host (docs/decisions/0007).
base::Task<void> HostController::recordPower(Pass& host, ProvisionerError absence) {
  if (!rests(stateOf(*host)) || beingDeleted(*host) || keptOutOfReach(*host)) co_return;
  const base::MonoTime now = runtime_.clock.now();
  if (!backendGoneSince_) backendGoneSince_ = now;
  AbsentBackend backend(absence);
  PowerReading reading{.on = std::nullopt, .why = absence.what()};
  try {
    reading = co_await power_.read(poweredHost(*host), backend);
  } catch (const ProvisionerError&) {
    if (now - *backendGoneSince_ < backendMaySleep) co_return;
  }
  if (reading.on) host->status.poweredOn = *reading.on;
  notePowerKnown(*host, reading.on.has_value(), reading.why, runtime_.clock.wall());
  co_await save(host);
}

// A host on its way out does without credentials when they are no good.
base::Task<std::variant<std::optional<BmcAccess>, CredentialsProblem>> HostController::access(Pass& host) {
  if (worksWithoutCredentials(stateOf(*host))) co_return std::optional<BmcAccess>{};
  BmcAccessOrProblem found = co_await findAccess(*host);
  if (auto* usable = std::get_if<BmcAccess>(&found)) co_return std::optional(std::move(*usable));
  if (beingDeleted(*host)) co_return std::optional<BmcAccess>{};
  co_return std::get<CredentialsProblem>(std::move(found));
}

base::Task<BmcAccessOrProblem> HostController::findAccess(const api::BareMetalHost& host) {
  try {
    co_return co_await findBmcAccess(host, cluster_);
  } catch (const kube::Error& error) {
    if (error.code() == kube::Error::Code::conflict) throw;  // somebody else wrote the Secret: read it again
    world_.metrics.credentials(CredentialsTrouble::unhandled);
    throw base::Error(fmt::format("an unhandled failure occurred with the BMC secret: {}", error.what()));
  }
}

base::Task<kube::Next> HostController::refuse(Pass& host, CredentialsProblem problem) {
  recordCredentialsProblem(*host, host.journal(), problem);
  const base::WallTime now = runtime_.clock.wall();
  if (rests(stateOf(*host))) notePowerKnown(*host, false, problem.message, now);
  setConditions(*host, {.powerFailure = showsPowerFailure(*host), .health = healthOf(*host, "")},
                now);  // the backend is not asked
  co_await save(host);
  co_return nextAfter(problem.retryAfter);
}

base::Task<std::unique_ptr<Provisioner>> HostController::open(Pass& host, const BmcAccess* access) {
  HostData data = dataFor(*host, access);
  data.rivals = [this, self = host->metadata](const std::string& id) { return rivalsOf(self, id); };
  data.reserveMachine = [this, &host] { return reserveMachine(*host); };
  data.confirmWish = wishGuard(world_.hosts, *host);
  co_return co_await world_.backends.open(std::move(data), [&host](std::string reason, std::string message) {
    host.journal().event(std::move(reason), std::move(message));
  });
}

base::Task<kube::Next> HostController::work(Pass& host, std::optional<BmcAccess> access, Provisioner& backend) {
  const base::Log log = runtime_.log.with("host", host.key().text());
  const std::string before = host->status.provisioning.state;
  clearTrouble(*host);  // saved only if this pass does well
  Scope scope{*host,         std::move(access),     backend, power_, cluster_, host.journal(), held_,
              world_.policy, runtime_.clock.wall(), log};
  scope.outOfBand = world_.outOfBand;
  scope.cleaning = world_.cleaning;
  scope.boot = world_.boot;
  scope.whyMachineIsShared = [this, &host] { return whyMachineIsShared(*host); };
  const Step step = co_await runMachine(scope);
  if (host->status.provisioning.ID.empty()) reservations_.release(host.key());  // no node has come of it
  const auto delay = apply(step, *host, host.journal(), runtime_.clock.wall(), runtime_.random);
  if (host->status.provisioning.state != before) {
    log.info("state changed", {{"old", before}, {"new", host->status.provisioning.state}});
  }
  if (const auto* failure = std::get_if<Fail>(&step)) {
    log.warn("failed", {{"errorType", text(failure->type)}, {"errorMessage", failure->message}});
  }
  noteSlot(host.key(), std::holds_alternative<NoSlot>(step));
  noteUnread(host, scope.powerRead);
  noteInvalidAnnotations(*host, host.draft().before().status.errorMessage, host.journal());
  if (std::holds_alternative<Gone>(step)) {
    co_await save(host);
    world_.metrics.forget(scope.name());
    co_return kube::Next::onChange();
  }
  BackendFacts facts{.health = healthOf(*host, co_await backend.health())};
  if (powerFailureMatters(*host)) facts.powerFailure = co_await power_.hasFailure(poweredHost(*host), backend);
  setConditions(*host, facts, runtime_.clock.wall());
  const auto wait = putOff(host);
  if (!wait && scope.access && host->status != host.draft().before().status) renewVersions(*host, *scope.access);
  co_await save(host);
  co_return nextAfter(wait ? std::min(*wait, delay.value_or(*wait)) : delay);
}

std::string HostController::healthOf(const api::BareMetalHost& host, std::string ofBackend) const {
  return world_.health == nullptr ? std::move(ofBackend)
                                  : world_.health->judge(host.metadata.uid, std::move(ofBackend));
}

std::optional<base::Duration> HostController::putOff(Pass& host) {
  const api::BareMetalHostStatus& before = host.draft().before().status;
  if (onlyRestates(before, host->status)) {
    const base::Duration wait = restated_.mayWait(host.key(), runtime_.clock.now());
    if (wait > base::Duration::zero()) {
      host->status = before;
      return wait;
    }
  }
  restated_.over(host.key());
  return std::nullopt;
}

// A wait that is no failure (for an agent, for a lock) is one for the power, too.
void HostController::noteUnread(Pass& host, bool powerRead) {
  const bool unread = !powerRead && rests(stateOf(*host)) && powerKnown(*host);
  if (!unread) return unread_.over(host.key());
  if (unread_.noteFailure(host.key(), runtime_.clock.now()))
    notePowerKnown(*host, false, "the host waits for its backend: nobody reads its power", runtime_.clock.wall());
}

// A status that a tool carried over may say what the API does not take.
base::Task<kube::Next> HostController::saveTakenIn(Pass& host) {
  std::string refusal;
  try {
    co_await save(host);
    co_return kube::Next::now();
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::invalid || !api::awaitsStatus(host.draft().before())) throw;
    refusal = error.what();
  }
  Pass untouched(world(), std::make_shared<const api::BareMetalHost>(host.draft().before()));
  const bool isLeaving = beingDeleted(*untouched);
  if (isLeaving)
    giveUpCarriedStatus(*untouched, untouched.journal(), refusal);
  else
    refuseCarriedStatus(*untouched, untouched.journal(), Refusal::byApi, refusal);
  co_await save(untouched);
  co_return isLeaving ? kube::Next::now() : kube::Next::onChange();
}

// status.lastUpdated marks a status as ours. It is not set while an annotation carries a status, or the carried one
// would come too late once it is corrected.
base::Task<void> HostController::save(Pass& host) {
  boundTexts(*host);
  const api::BareMetalHost& before = host.draft().before();
  if (host->status != before.status && !api::awaitsStatus(before))
    host->status.lastUpdated = std::chrono::floor<std::chrono::seconds>(runtime_.clock.wall());
  co_await host.save();
}

void HostController::nodeChanged(const std::string& provisionerId) {
  for (const auto& key : byNode_.find(provisionerId)) loop_.queue().add(key);
  wakeLongestWaiting();  // the node may have left its slot
}

void HostController::noteSlot(const kube::ObjectKey& key, bool waits) {
  if (!waits) return waitingForSlot_.leave(key);
  waitingForSlot_.join(key, runtime_.clock.now());
}

// Wakes one host for each slot: one that finds it taken waits on.
void HostController::wakeLongestWaiting() {
  if (auto longest = waitingForSlot_.wakeLongest()) loop_.queue().add(*longest);
}

void HostController::backendReturned() {
  backendGoneSince_.reset();
  loop_.queue().endBackoffs();
  for (const auto& key : std::exchange(waitingForBackend_, {})) loop_.queue().add(key);
  for (const auto status : {api::operational_status::error, api::operational_status::delayed})
    for (const auto& key : byTrouble_.find(std::string(status))) loop_.queue().add(key);
}

}  // namespace ingot::coordinator::host
