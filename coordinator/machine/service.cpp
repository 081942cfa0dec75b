// How a machine comes into service (spec/capm3.md §8.3, §9, §10, §13, §15.1, §15.3).
#include "api/bmh/names.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/association.hpp"
#include "coordinator/machine/nodes.hpp"
#include "coordinator/machine/reconciler.hpp"
#include "coordinator/machine/rendered_data.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::machine {

namespace {

// Cluster API has found the Node of the machine: nothing but the host's record is left to look after.
bool isInService(const Metal3Machine& machine, const Machine& owner) {
  return !machine.spec.providerID.empty() && machine.status.initialization.provisioned.value_or(false) &&
         !owner.status.nodeRef.name.empty();
}

}  // namespace

base::Task<kube::Next> MachineReconciler::advance(Way& way) {
  std::optional<MachineError> taken;
  try {
    co_return co_await serve(way);
  } catch (const MachineError& error) {
    if (error.problem() != Problem::hostTaken || !mayMove(*way.machine)) throw;
    taken = error;
  }
  const auto key = hostOf(*way.machine);
  const auto host = key ? scope_.hosts.find(*key) : nullptr;
  if (host) co_await unlabelLost(*host, *way.machine, way.around.owner->spec.clusterName);
  co_return co_await moveOn(way, *taken);
}

base::Task<kube::Next> MachineReconciler::serve(Way& way) {
  Metal3Machine& machine = *way.machine;
  const Machine& owner = *way.around.owner;
  const bool settled = isInService(machine, owner);
  if (!settled && !isBootstrapReady(owner)) {
    way.report.notPaused();
    way.report.waitsForBootstrap();
    way.patience = kMachineWait;
    co_return kube::Next::onChange();
  }
  if (machine.spec.dataTemplate && machine.spec.dataTemplate->namespace_.empty())
    machine.spec.dataTemplate->namespace_ = machine.metadata.namespace_;

  const Step* update = settled ? &step::update : &step::writeHost;
  way.at = wasAssociated(machine) ? update : &step::associate;
  const HostKey host = co_await associate(way);
  scope_.waiting.noMore(way.machine.key());
  if (!settled) {
    way.at = &step::data;
    settleGivenData(machine);
    co_await askForData(machine);
  }
  way.report.askedForData();
  way.at = update;
  // Asked for now, the workload cluster is connected by the time the machine is provisioned.
  if (!settled && !nodesOf(way.around.cluster->metadata.key()))
    runtime_.log.debug("the workload cluster is not connected yet", {{"machine", machine.metadata.key().text()}});
  co_await requireOffer(machine);
  takeData(way);
  co_await recordData(way, host);
  const BareMetalHost now = co_await tellHost(way, host);
  machine.status.addresses = nodeAddresses(now);
  way.isNews = way.isNews || !way.machine.draft().before().status.userData;  // it binds the machine to its host
  if (!settled && now.status.provisioning.state == "provisioned")
    co_await findNode(way, now);
  else if (!settled)
    requireUntroubled(way, now);
  way.report.notPaused();
  way.report.hasMetaData();
  co_return kube::Next::onChange();
}

// A trouble that passes by itself within moments is nobody's business.
void MachineReconciler::requireUntroubled(Way& way, const BareMetalHost& host) {
  way.at = &step::host;
  if (const std::string trouble = troubleOf(host); !trouble.empty()) throw MachineError(Problem::soon, trouble);
}

base::Task<MachineReconciler::HostKey> MachineReconciler::associate(Way& way) {
  Metal3Machine& machine = *way.machine;
  auto key = hostOf(machine);
  const auto host = key ? scope_.hosts.find(*key) : nullptr;
  const bool isOwn = host && isConsumer(*host, machine) && !scope_.hosts.isUnreadable(*key);
  const bool had = wasAssociated(machine);
  if (had && !host) co_await endWithoutHost(machine, key);
  if (had && !isOwn && host->spec.consumerRef) throw takenAway(*host, userDataOf(machine, *way.around.owner));
  if (isOwn)
    co_await link(way, *key);
  else
    key = co_await claimOne(way);
  if (isOwn && !had) {
    const auto label = onOwn(machine, [&](BareMetalHost& now) { labelHost(now, *way.around.owner); });
    static_cast<void>(co_await scope_.hosts.edit(*key, label, false));
  }
  const auto claimed = scope_.hosts.find(*key);
  if (claimed && !had) co_await scope_.hosts.labelSecret(*claimed, way.around.owner->spec.clusterName);
  if (claimed && had && !isInService(machine, *way.around.owner)) co_await labelAgain(way, *claimed);
  showHost(way, false);
  settleUserData(machine, *way.around.owner);  // from here on it counts as associated
  co_return *key;
}

// One that was claimed anew may be another host of the name of one that is gone. A machine that has its host waits for
// no label: what keeps it off is logged, and it is tried again.
base::Task<void> MachineReconciler::labelAgain(Way& way, const BareMetalHost& host) {
  std::string obstacle;
  try {
    co_return co_await scope_.hosts.labelSecret(host, way.around.owner->spec.clusterName);
  } catch (const MachineError& error) {
    obstacle = error.what();
  } catch (const kube::Error& error) {
    obstacle = error.what();
  }
  runtime_.log.warn("the Secret of a host gets no label of its Cluster, and is tried again",
                    {{"machine", way.machine.key().text()}, {"error", obstacle}});
  way.again = lookAgain().delay();
}

// With a data template the host is told what to run after the rendered data are on record: without them it was told
// nothing. What a machine without one has told a host that is gone, nobody can say; unless it links to none, as that is
// taken off only where a host that was told nothing is given up (moveOn).
base::Task<void> MachineReconciler::endWithoutHost(const Metal3Machine& machine, std::optional<HostKey> host) {
  const bool toldNothing = (machine.spec.dataTemplate || !linkedHost(machine)) && mayMove(machine);
  if (toldNothing && !(host && co_await scope_.hosts.look(*host)))
    throw MachineError(Problem::hostTaken, host ? fmt::format("host {} is gone", host->name) : "its host is gone");
  throw MachineError(Problem::waiting, fmt::format("BareMetalHost not found for machine {}", machine.metadata.name));
}

// The status that tells the choice may be written in a later pass.
void MachineReconciler::showHost(Way& way, bool forReuse) {
  const auto key = way.machine.key();
  const auto why = whyChosen_.find(key);
  const bool isKnown = why != whyChosen_.end() && why->second.uid == way.machine->metadata.uid;
  way.report.associated(forReuse, isKnown ? why->second.why : "");
  if (why != whyChosen_.end() && isAssociated(way.machine.draft().before())) whyChosen_.erase(why);
}

// Saved before anything is written for the machine: whatever ends the process afterwards, a deletion looks at that
// host.
base::Task<void> MachineReconciler::link(Way& way, HostKey host) {
  auto& metadata = way.machine->metadata;
  const auto before = metadata;
  kube::addFinalizer(metadata, api::capm3::finalizer::machine);
  linkHost(*way.machine, host);
  if (metadata != before) static_cast<void>(co_await way.machine.save());
}

// Told what to run only where the claim still stands in the API.
base::Task<BareMetalHost> MachineReconciler::tellHost(Way& way, HostKey key) {
  Metal3Machine& machine = *way.machine;
  const auto seen = scope_.hosts.find(key);
  const bool begins = !seen || !isConsumer(*seen, machine) || (!seen->spec.image && !seen->spec.customDeploy);
  const auto tell = [&](BareMetalHost& host) {
    if (!isConsumer(host, machine)) throw takenAway(host, machine.status.userData);
    writeHost(host, machine);
  };
  const bool isSwitchedOff = !begins && !seen->spec.online;
  auto now = co_await scope_.hosts.edit(key, tell, begins);
  if (!now)
    throw MachineError(Problem::waiting, fmt::format("BareMetalHost not found for machine {}", machine.metadata.name));
  if (isSwitchedOff) tellOfPower(*now, machine);
  showHost(way, false);
  co_return std::move(*now);
}

// Whoever has switched it off by hand would wonder.
void MachineReconciler::tellOfPower(const BareMetalHost& host, const Metal3Machine& machine) {
  world().events.normal(
      kube::referenceTo(host), "SwitchedOnForMachine",
      fmt::format("spec.online is true again, as Metal3Machine {} uses the host: to keep it off, pause that one by "
                  "annotation {}, or annotate the host with {}NAME",
                  machine.metadata.name, api::capm3::annotation::paused, api::annotation::rebootPrefix));
}

// The cache may be behind our own deletion of the claim: what it offers goes to others then. Nobody else takes our
// finalizer off it, so one that has it, all our writes being seen, is still there. One that lost it, and was not
// deleted because that got no answer, gets it back: else the deletion, carried out late, would give the data to others.
base::Task<void> MachineReconciler::requireOffer(const Metal3Machine& machine) {
  const auto key = machine.metadata.key();
  const auto seen = scope_.claims.find(key);
  if (!machine.spec.dataTemplate || machine.status.renderedData || !seen || !seen->status.renderedData) co_return;
  if (scope_.claims.hasSeenOwnWrites(key) && kube::hasFinalizer(seen->metadata, api::capm3::finalizer::machine))
    co_return;
  if (isOfEarlierMachine(seen->metadata, machine)) co_return;
  if (scope_.claims.isUnreadable(key))
    throw MachineError(Problem::waiting, fmt::format("Metal3DataClaim {} cannot be read", key.name));
  const auto now = co_await scope_.client.get<Metal3DataClaim>(key);
  const bool stands = now && now->metadata.uid == seen->metadata.uid && !now->metadata.beingDeleted();
  if (!stands || now->status.renderedData != seen->status.renderedData)
    throw MachineError(Problem::soon,
                       fmt::format("Metal3DataClaim {} has changed, and is not known yet as it is now", key.name));
  kube::Draft<Metal3DataClaim> draft(std::make_shared<const Metal3DataClaim>(*now));
  kube::addFinalizer(draft->metadata, api::capm3::finalizer::machine);
  static_cast<void>(co_await kube::save(scope_.client, draft, &scope_.claims));
}

base::Task<void> MachineReconciler::askForData(Metal3Machine& machine) {
  const auto key = machine.metadata.key();
  const auto seen = scope_.claims.find(key);
  if (scope_.claims.isUnreadable(key) || !scope_.claims.hasSeenOwnWrites(key)) co_return;
  if (seen && !machine.status.renderedData) {
    const bool isEarlier = isOfEarlierMachine(seen->metadata, machine);
    const bool isOwn = !isEarlier && kube::hasFinalizer(seen->metadata, api::capm3::finalizer::machine);
    if (seen->metadata.beingDeleted() && isOwn) {  // nobody else lets go of it, and nothing runs with its data yet
      static_cast<void>(co_await dissociate(machine));
      throw MachineError(Problem::soon,
                         fmt::format("Metal3DataClaim {} was deleted: another one is made once it is gone", key.name));
    }
    if (seen->metadata.beingDeleted() || isEarlier)
      throw MachineError(Problem::waiting,
                         fmt::format("Metal3DataClaim {} of an earlier machine is still there", key.name));
  }
  const auto& named = machine.spec.dataTemplate;
  const auto dataTemplate = named ? scope_.dataTemplates.find({machine.metadata.namespace_, named->name}) : nullptr;
  auto wanted = missingDataClaim(machine, seen.get(), dataTemplate.get());
  if (!wanted) co_return;
  try {
    const auto made = co_await scope_.client.create(std::move(*wanted));
    scope_.claims.expect(key, made.metadata.resourceVersion);
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::alreadyExists) throw;
  }
}

void MachineReconciler::takeData(Way& way) {
  Metal3Machine& machine = *way.machine;
  auto claim = scope_.claims.find(machine.metadata.key());
  if (claim && isOfEarlierMachine(claim->metadata, machine)) claim = nullptr;
  try {
    const auto name = settleRenderedData(machine, claim.get());
    if (!name) return;
    const auto data = scope_.data.find({machine.metadata.namespace_, *name});
    if (data && !isRenderedFor(*data, machine))
      throw MachineError(Problem::waiting, fmt::format("Metal3Data {} is not for this machine's claim", *name));
    if (data && !data->status.errorMessage.empty() && !data->status.ready.value_or(false))
      throw MachineError(Problem::waiting, "waiting for Metal3Data to become ready: " + data->status.errorMessage);
    takeRenderedData(machine, data.get());
    way.report.dataReady("Metal3DataSecretsReady");
  } catch (const MachineError& error) {
    const bool waits = error.problem() == Problem::waiting || error.problem() == Problem::soon;
    if (waits) way.report.waitsForData();
    if (claim && !claim->status.errorMessage.empty())  // a person must know
      throw MachineError(waits ? Problem::waiting : error.problem(),
                         fmt::format("{}: {}", error.what(), claim->status.errorMessage));
    throw;
  }
}

// What binds the machine to its host is on record before the host is told what to run: data that it may run with are
// nobody else's. This is all that there is to say until its Node is there.
base::Task<void> MachineReconciler::recordData(Way& way, HostKey host) {
  Metal3Machine& machine = *way.machine;
  const auto shown = way.machine.draft().before().status;
  if (machine.status.renderedData == shown.renderedData) co_return;
  if (const auto seen = scope_.hosts.find(host)) machine.status.addresses = nodeAddresses(*seen);
  showHost(way, false);
  way.report.notPaused();
  way.report.hasMetaData();
  way.report.finish(shown);
  static_cast<void>(co_await way.machine.save());
}

// A connection stays open until its Cluster goes: none is opened for one that went during the pass.
std::expected<const workload::NodeView*, workload::Unknown> MachineReconciler::nodesOf(const HostKey& cluster) const {
  if (!scope_.clusters.find(cluster))
    throw MachineError(Problem::waiting, fmt::format("Cluster {} is gone", cluster.name));
  return scope_.nodes.nodes(cluster);
}

base::Task<void> MachineReconciler::findNode(Way& way, BareMetalHost host) {
  Metal3Machine& machine = *way.machine;
  const NodeWish wish{
      .machine = machine,
      .hostUid = host.metadata.uid,
      .cloudProvider = way.around.metalCluster && way.around.metalCluster->spec.cloudProviderEnabled.value_or(false),
      .bootstrapped = !way.around.owner->spec.bootstrap.configRef.name.empty()};
  way.at = wish.cloudProvider ? &step::nodeByProviderId : &step::nodeByLabel;
  const auto cluster = way.around.cluster->metadata.key();
  scope_.waiting.forNode(way.machine.key(), cluster, host.metadata);
  const auto nodes = nodesOf(cluster);
  const bool wasFound = machine.status.initialization.provisioned.value_or(false);
  const bool tellsLater = !nodes && (wasFound || nodes.error().reason == workload::Unknown::Reason::connecting);
  if (tellsLater) co_return;  // no news of the machine: it stays as it is shown
  if (!nodes)
    throw MachineError(Problem::waiting, "the Nodes of the workload cluster are not known: " + nodes.error().text);
  if (isByHostname(**nodes, wish)) way.at = &step::nodeByHostname;
  const NodeMatch match = matchNode(**nodes, wish);
  if (match.toName != nullptr) {
    const auto turn = scope_.turns.take(cluster, way.machine.key());
    if (!turn) throw MachineError(Problem::soon, "other machines wait for the workload cluster to take theirs");
    json::Object patch{{"metadata", json::Object{{"resourceVersion", match.toName->metadata.resourceVersion}}},
                       {"spec", json::Object{{"providerID", match.providerId}}}};
    try {
      static_cast<void>(
          co_await scope_.nodes.patchNode(cluster, match.toName->metadata.name, json::Value(std::move(patch))));
    } catch (const kube::Error& error) {
      // Somebody who writes to the Node at the same time brings the machine back.
      const bool isForestalled = error.code() == kube::Error::Code::conflict;
      throw MachineError(isForestalled ? Problem::soon : Problem::waiting,
                         fmt::format("the Node could not be given its providerID: {}", error.what()));
    }
  }
  scope_.waiting.noMore(way.machine.key());
  machine.spec.providerID = match.providerId;
  static_cast<void>(co_await way.machine.save());  // the conditions are those of the new generation
  machine.status.initialization.provisioned = true;
  way.report.dataReady("SecretsSetExternally");
}

}  // namespace ingot::coordinator::machine
