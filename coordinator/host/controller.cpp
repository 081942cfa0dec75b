#include "coordinator/host/controller.hpp"

#include "coordinator/host/absent_backend.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/conditions.hpp"
#include "coordinator/host/config_data.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/detachment.hpp"
#include "coordinator/host/intake.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/machine.hpp"
#include "coordinator/host/retry.hpp"

namespace ingot::coordinator::host {
namespace {

HostName nameOf(const api::BareMetalHost& host) { return {host.metadata.namespace_, host.metadata.name}; }

kube::Next nextAfter(std::optional<base::Duration> delay) {
  return delay ? kube::Next::after(*delay) : kube::Next::onChange();
}

// Not of a host that was never registered, and not of a detached one, which the backend has forgotten: whatever is
// there under its name by now is not its own.
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

// Waits for something that the backend's return may bring.
bool waitsForBackend(const api::BareMetalHost& host) {
  const auto& status = host.status.operationalStatus;
  return status == api::operational_status::error || status == api::operational_status::delayed;
}

}  // namespace

bool mattersToHost(const api::BareMetalHost& before, const api::BareMetalHost& after) {
  return before.metadata.uid != after.metadata.uid || before.metadata.generation != after.metadata.generation ||
         before.metadata.finalizers != after.metadata.finalizers ||
         before.metadata.annotations != after.metadata.annotations ||
         before.metadata.deletionTimestamp != after.metadata.deletionTimestamp;
}

bool contentChanged(const kube::Secret& before, const kube::Secret& after) {
  return before.metadata.uid != after.metadata.uid || before.data != after.data || before.type != after.type;
}

std::vector<kube::ObjectKey> owningHosts(const kube::Secret& secret) {
  std::vector<kube::ObjectKey> keys;
  for (const auto& owner : secret.metadata.ownerReferences) {
    if (owner.kind == api::BareMetalHost::info.kind && owner.apiVersion == api::BareMetalHost::info.apiVersion()) {
      keys.push_back({secret.metadata.namespace_, owner.name});
    }
  }
  return keys;
}

HostController::HostController(base::Runtime runtime, HostWorld world, std::size_t concurrency)
    : runtime_(runtime.named("host")),
      world_(std::move(world)),
      cluster_(world_.client, world_.secrets, world_.hardware),
      loop_(runtime_, {.name = "host", .concurrency = concurrency}, *this) {
  loop_.watchMain<api::BareMetalHost>(world_.hosts, mattersToHost);
  world_.secrets.onChange([this](const auto& change) { wakeOwners(change); });
  world_.hosts.onChange([this](const auto& change) { indexNode(change); });
  world_.backends.listen(*this);
}

base::Task<void> HostController::run() {
  co_await world_.secrets.synced();
  co_await world_.hardware.synced();
  co_await loop_.run();
}

base::Task<kube::Next> HostController::reconcile(kube::ObjectKey key) {
  const auto seen = world_.hosts.find(key);
  if (!seen) waitingForRoom_.erase(key);
  if (!seen || paused(*seen)) co_return kube::Next::onChange();
  world_.metrics.reconciled(nameOf(*seen));
  waitingForBackend_.erase(key);
  try {
    co_return co_await pass(seen);
  } catch (const HostMoved&) {
    co_return kube::Next::withBackoff();
  } catch (const ProvisionerError& error) {
    waitingForBackend_.insert(key);
    if (error.code() != ProvisionerError::Code::notReady) {
      world_.metrics.reconcileFailed();
      throw;
    }
    world_.metrics.backendNotReady();
    co_return kube::Next::after(backendNotReadyDelay);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception&) {
    world_.metrics.reconcileFailed();
    throw;
  }
}

// An exception ends a pass with nothing saved and nothing told but that it was tried.
base::Task<kube::Next> HostController::pass(std::shared_ptr<const api::BareMetalHost> seen) {
  Draft draft(seen);
  Journal journal;
  try {
    co_return co_await pass(draft, journal);
  } catch (...) {
    journal.tellAttempts(world_.metrics);
    throw;
  }
}

base::Task<kube::Next> HostController::pass(Draft& draft, Journal& journal) {
  if (co_await takeIn({*draft, cluster_, journal, runtime_.clock.wall(), runtime_.log})) {
    co_await save(draft, journal);
    co_return kube::Next::now();
  }
  auto found = co_await access(draft);
  if (auto* problem = std::get_if<CredentialsProblem>(&found)) {
    co_return co_await refuse(draft, journal, std::move(*problem));
  }
  auto usable = std::get<std::optional<BmcAccess>>(std::move(found));
  co_await claimPreprovisioningNetworkData(*draft, cluster_, runtime_.log);
  std::unique_ptr<Provisioner> backend;
  std::optional<ProvisionerError> absence;
  try {
    backend = co_await open(*draft, usable ? &*usable : nullptr, journal);
  } catch (const ProvisionerError& error) {
    if (error.code() != ProvisionerError::Code::notReady) throw;
    absence = error;
  }
  if (absence) {
    co_await recordPower(draft, journal, *absence);
    throw *absence;
  }
  backendGoneSince_.reset();
  co_return co_await work(draft, journal, std::move(usable), *backend);
}

// A power that an agent reads is as good as ever; what the backend said counts for a while. No command is given:
// whether the backend is at work on the host is not known either (docs/decisions/0007).
base::Task<void> HostController::recordPower(Draft& draft, Journal& journal, ProvisionerError absence) {
  if (!rests(stateOf(*draft)) || beingDeleted(*draft) || keptOutOfReach(*draft)) co_return;
  const base::MonoTime now = runtime_.clock.now();
  if (!backendGoneSince_) backendGoneSince_ = now;
  AbsentBackend backend(absence);
  PowerReading reading{.on = std::nullopt, .why = absence.what()};
  try {
    reading = co_await world_.power.read(poweredHost(*draft), backend);
  } catch (const ProvisionerError&) {
    if (now - *backendGoneSince_ < backendMaySleep) co_return;
  }
  if (reading.on) draft->status.poweredOn = *reading.on;
  notePowerKnown(*draft, reading.on.has_value(), reading.why, runtime_.clock.wall());
  co_await save(draft, journal);
}

// A host on its way out does without credentials when they are no good.
base::Task<std::variant<std::optional<BmcAccess>, CredentialsProblem>> HostController::access(Draft& draft) {
  if (worksWithoutCredentials(stateOf(*draft))) co_return std::optional<BmcAccess>{};
  BmcAccessOrProblem found = co_await findAccess(*draft);
  if (auto* usable = std::get_if<BmcAccess>(&found)) co_return std::optional(std::move(*usable));
  if (beingDeleted(*draft)) co_return std::optional<BmcAccess>{};
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

base::Task<kube::Next> HostController::refuse(Draft& draft, Journal& journal, CredentialsProblem problem) {
  recordCredentialsProblem(*draft, journal, problem);
  setConditions(*draft, {}, runtime_.clock.wall());
  co_await save(draft, journal);
  co_return nextAfter(problem.retryAfter);
}

base::Task<std::unique_ptr<Provisioner>> HostController::open(const api::BareMetalHost& host, const BmcAccess* access,
                                                              Journal& journal) {
  HostData data = dataFor(host, access);
  data.otherOwner = [this, key = host.metadata.key()](const std::string& id) { return otherOwner(id, key); };
  co_return co_await world_.backends.open(std::move(data), [&journal](std::string reason, std::string message) {
    journal.event(std::move(reason), std::move(message));
  });
}

base::Task<kube::Next> HostController::work(Draft& draft, Journal& journal, std::optional<BmcAccess> access,
                                            Provisioner& backend) {
  const base::Log log = runtime_.log.with("host", draft.key().text());
  const std::string before = draft->status.provisioning.state;
  Scope scope{*draft,        std::move(access),     backend, world_.power, cluster_, journal,
              world_.policy, runtime_.clock.wall(), log};
  const Step step = co_await runMachine(scope);
  const auto delay = apply(step, *draft, journal, runtime_.clock.wall(), runtime_.random);
  if (draft->status.provisioning.state != before) {
    log.info("state changed", {{"old", before}, {"new", draft->status.provisioning.state}});
  }
  if (const auto* failure = std::get_if<Fail>(&step)) {
    log.warn("failed", {{"errorType", text(failure->type)}, {"errorMessage", failure->message}});
  }
  noteRoom(draft.key(), std::holds_alternative<Crowded>(step));
  if (std::holds_alternative<Gone>(step)) {
    co_await save(draft, journal);
    world_.metrics.forget(scope.name());
    co_return kube::Next::onChange();
  }
  BackendFacts facts{.health = co_await backend.health()};
  if (powerFailureMatters(*draft)) facts.powerFailure = co_await world_.power.hasFailure(poweredHost(*draft), backend);
  setConditions(*draft, facts, runtime_.clock.wall());
  co_await save(draft, journal);
  co_return nextAfter(delay);
}

base::Task<void> HostController::save(Draft& draft, const Journal& journal) {
  const bool statusChanged = draft->status != draft.before().status;
  if (statusChanged) draft->status.lastUpdated = std::chrono::floor<std::chrono::seconds>(runtime_.clock.wall());
  co_await kube::save(world_.client, draft, &world_.hosts);
  journal.saved();
  journal.tell(world_.metrics);
  publish(*draft, journal);
}

void HostController::publish(const api::BareMetalHost& host, const Journal& journal) {
  for (const HostEvent& event : journal.events()) {
    const auto object = kube::referenceTo(host);
    if (event.warning)
      world_.events.warning(object, event.reason, event.message, consumerOf(host));
    else
      world_.events.normal(object, event.reason, event.message, consumerOf(host));
  }
}

void HostController::hostChanged(const std::string& namespace_, const std::string& name) {
  loop_.queue().add({namespace_, name});
}

void HostController::nodeChanged(const std::string& provisionerId) {
  if (const auto found = keysByNode_.find(provisionerId); found != keysByNode_.end()) {
    for (const auto& key : found->second) loop_.queue().add(key);
  }
  wakeLongestWaiting();  // the node may have left a place
}

void HostController::noteRoom(const kube::ObjectKey& key, bool crowded) {
  if (!crowded) {
    waitingForRoom_.erase(key);
    return;
  }
  waitingForRoom_.try_emplace(key, Waiting{.since = runtime_.clock.now()}).first->second.woken = false;
}

// One a place: who does not find it free waits on.
void HostController::wakeLongestWaiting() {
  auto longest = waitingForRoom_.end();
  for (auto it = waitingForRoom_.begin(); it != waitingForRoom_.end(); ++it) {
    const bool longer = longest == waitingForRoom_.end() || it->second.since < longest->second.since;
    if (!it->second.woken && longer) longest = it;
  }
  if (longest == waitingForRoom_.end()) return;
  longest->second.woken = true;
  loop_.queue().add(longest->first);
}

void HostController::backendReturned() {
  backendGoneSince_.reset();
  loop_.queue().endBackoffs();
  for (const auto& key : std::exchange(waitingForBackend_, {})) loop_.queue().add(key);
  for (const auto& host : world_.hosts.all()) {
    if (waitsForBackend(*host)) loop_.queue().add(host->metadata.key());
  }
}

void HostController::wakeOwners(const kube::Cache<kube::Secret>::Change& change) {
  if (change.before && change.after && !contentChanged(*change.before, *change.after)) return;
  if (change.backlog || !change.before) return;  // its host reads it anyway, or has just labelled it
  for (const auto& key : owningHosts(change.after ? *change.after : *change.before)) loop_.queue().add(key);
}

void HostController::indexNode(const kube::Cache<api::BareMetalHost>::Change& change) {
  const auto idOf = [](const auto& host) { return host ? host->status.provisioning.ID : std::string(); };
  const std::string before = idOf(change.before);
  const std::string after = idOf(change.after);
  if (before == after) return;
  if (const auto found = keysByNode_.find(before); found != keysByNode_.end()) {
    found->second.erase(change.key);
    if (found->second.empty()) keysByNode_.erase(found);
  }
  if (!after.empty()) keysByNode_[after].insert(change.key);
}

std::string HostController::otherOwner(const std::string& provisionerId, const kube::ObjectKey& than) const {
  const auto found = keysByNode_.find(provisionerId);
  if (found == keysByNode_.end()) return {};
  const auto other = std::ranges::find_if(found->second, [&](const auto& key) { return key != than; });
  return other == found->second.end() ? "" : other->text();
}

}  // namespace ingot::coordinator::host
