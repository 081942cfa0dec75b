#include "coordinator/data/data_reconciler.hpp"

#include "api/capm3/names.hpp"
#include "cloudinit/meta_data.hpp"
#include "cloudinit/network_data.hpp"
#include "cloudinit/secrets.hpp"
#include "coordinator/data/creation.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::data {
namespace {

namespace finalizer = api::capm3::finalizer;

constexpr base::Duration kHostChanged = std::chrono::seconds(1);

void nameSecret(std::optional<api::SecretReference>& reference, bool isWanted, const Metal3Machine& metal,
                const char* suffix) {
  const bool isNamed = reference && !reference->name.empty();
  if (!isWanted || isNamed) return;
  reference = api::SecretReference{.name = metal.metadata.name + suffix, .namespace_ = metal.metadata.namespace_};
}

void nameSecrets(Metal3Data& data, const Metal3DataTemplate& dataTemplate, const Metal3Machine& metal) {
  nameSecret(data.spec.metaData, dataTemplate.spec.metaData.has_value(), metal, "-metadata");
  nameSecret(data.spec.networkData, dataTemplate.spec.networkData.has_value(), metal, "-networkdata");
}

bool isSame(const std::optional<api::SecretReference>& secret, const std::optional<api::SecretReference>& by) {
  return secret && by && !secret->name.empty() && secret->name == by->name;
}

// Secrets of the data, whether they are there or not.
bool isToldToRunWith(const api::BareMetalHost& host, const Metal3Data& data) {
  return isSame(data.spec.metaData, host.spec.metaData) || isSame(data.spec.networkData, host.spec.networkData);
}

}  // namespace

bool mattersToData(const Metal3Data& before, const Metal3Data& after) {
  kube::ObjectMeta same = before.metadata;
  same.resourceVersion = after.metadata.resourceVersion;
  const bool wasReady = before.status.ready.value_or(false), isReady = after.status.ready.value_or(false);
  return same != after.metadata ||  // the generation stands for the spec
         (wasReady && !isReady && after.status.errorMessage.empty());
}

DataReconciler::DataReconciler(base::Runtime runtime, kube::PassWorld<Metal3Data> world, DataWorld data)
    : ObjectReconciler(std::move(world)), runtime_(std::move(runtime)), data_(data), troubles_(runtime_.clock) {}

void DataReconciler::gone(const kube::ObjectKey& key) {
  troubles_.forget(key);
  data_.addresses.forget(key);
}

base::Task<kube::Next> DataReconciler::run(kube::Pass<Metal3Data>& data) {
  if (!data_.gate.takes(data->metadata)) co_return kube::Next::onChange();
  const Rest rest = data_.gate.restOf(data->metadata);
  if (rest == Rest::unknown) co_return kube::Next::after(kLookAgain);
  if (rest == Rest::paused) co_return co_await restWithCluster(data);
  co_return co_await troubles_.watch(data, work(data));
}

// By their Cluster: data that are paused themselves are not written to.
base::Task<kube::Next> DataReconciler::restWithCluster(kube::Pass<Metal3Data>& data) {
  if (api::capi::isPaused(data->metadata)) co_return kube::Next::onChange();
  co_await troubles_.retractFailure(data);
  if (const auto cluster = clusterOf(data->metadata))
    co_await troubles_.retract(data, textOfMissing(api::capi::Cluster::info, cluster->name));
  co_return kube::Next::onChange();
}

base::Task<kube::Next> DataReconciler::work(kube::Pass<Metal3Data>& data) {
  if (data->metadata.beingDeleted()) co_return co_await release(data);
  std::optional<Hindrance> hindrance;
  try {
    co_await complete(data);
  } catch (const Hindrance& problem) {
    hindrance = problem;
  } catch (const cloudinit::RenderError& error) {
    hindrance = Hindrance::problem("RenderFailed", error.what());
  }
  if (hindrance) co_return co_await troubles_.tell(data, *hindrance);
  troubles_.over(data);
  data->status.ready = true;
  co_await data.save();
  co_return kube::Next::onChange();
}

base::Task<void> DataReconciler::complete(kube::Pass<Metal3Data>& data) {
  if (co_await isComplete(*data)) co_return;
  const auto cluster = clusterOf(data->metadata);
  if (!cluster)
    throw Hindrance::problem("NoCluster", fmt::format("label {} is missing", api::capm3::label::clusterName));
  if (!data_.clusters.find(*cluster))
    throw Hindrance::late("ClusterMissing", textOfMissing(api::capi::Cluster::info, cluster->name));
  const auto dataTemplate = data_.subjects.templateFor(*data);
  const auto metal = data_.subjects.metalMachineFor(*data);
  kube::addFinalizer(data->metadata, finalizer::data);
  nameSecrets(*data, *dataTemplate, *metal);
  MissingSecrets missing = co_await data_.secrets.missingOf(*data, data->status.ready.value_or(false));
  missing.metaData = missing.metaData && dataTemplate->spec.metaData;
  missing.networkData = missing.networkData && dataTemplate->spec.networkData;
  co_await data.save();  // before anything that has to be given back
  if (missing.any()) co_await render(*data, dataTemplate, metal, missing);
}

// What was completed once needs no template, machine or host any more.
base::Task<bool> DataReconciler::isComplete(const Metal3Data& data) {
  if (!data.status.ready.value_or(false) || !kube::hasFinalizer(data.metadata, finalizer::data)) co_return false;
  const MissingSecrets missing = co_await data_.secrets.missingOf(data, true);
  co_return !missing.any();
}

base::Task<void> DataReconciler::render(Metal3Data data, Subjects::Template dataTemplate, Subjects::MetalMachine metal,
                                        MissingSecrets missing) {
  const auto machine = data_.subjects.machineFor(*metal);
  const auto seen = data_.subjects.hostFor(*metal);
  const cloudinit::PoolAddresses none;
  const auto snapshotWith = [&](const api::BareMetalHost& host, const cloudinit::PoolAddresses& pools) {
    return cloudinit::Snapshot{data, &machine->metadata, &metal->metadata, &host, pools};
  };
  const PoolReferences pools = poolsNamedBy(dataTemplate->spec, snapshotWith(*seen, none));
  // Secrets may have been taken away, to be rendered anew, while a server runs with what they said.
  const bool mayBeUsed = missing.anyThere || isToldToRunWith(*seen, data);
  const auto addresses = co_await data_.addresses.gather(
      pools, {data, seen->metadata.name, mayBeUsed ? Rendered::something : Rendered::nothing});
  const cloudinit::SecretOwner owner{data, metal->metadata.name, machine->spec.clusterName};
  const auto secretsWith = [&](const api::BareMetalHost& host) {  // all are rendered before the first is made
    const cloudinit::Snapshot snapshot = snapshotWith(host, addresses);
    std::vector<kube::Secret> secrets;
    if (missing.metaData)
      secrets.push_back(
          cloudinit::metaDataSecret(owner, cloudinit::renderMetaData(*dataTemplate->spec.metaData, snapshot)));
    if (missing.networkData)
      secrets.push_back(
          cloudinit::networkDataSecret(owner, cloudinit::renderNetworkData(*dataTemplate->spec.networkData, snapshot)));
    return secrets;
  };
  std::vector<kube::Secret> secrets = secretsWith(*seen);  // what cannot be rendered costs no request
  const api::BareMetalHost host = co_await confirmed(seen, metal);
  if (host.metadata.resourceVersion != seen->metadata.resourceVersion) {
    if (poolsNamedBy(dataTemplate->spec, snapshotWith(host, none)) != pools)
      throw kube::NotReady("the host names other pools by now", kHostChanged);
    secrets = secretsWith(host);
  }
  for (auto& secret : secrets) co_await data_.secrets.create(std::move(secret), data);
}

// What is written once must not come from an old state of the host.
base::Task<api::BareMetalHost> DataReconciler::confirmed(Subjects::Host host, Subjects::MetalMachine metal) {
  auto stored = co_await world().client.get<api::BareMetalHost>(host->metadata.key());
  if (!stored) throw Hindrance::wait("waiting for BareMetalHost to become available");
  requireConsumedBy(*stored, *metal);
  co_return std::move(*stored);
}

base::Task<kube::Next> DataReconciler::release(kube::Pass<Metal3Data>& data) {
  const bool isHeld =
      kube::hasFinalizer(data->metadata, finalizer::data) || kube::hasFinalizer(data->metadata, finalizer::dataClaim);
  if (!isHeld) co_return kube::Next::onChange();
  if (co_await isClaimed(*data))  // the end of its claim brings it back
    co_return co_await troubles_.tellWait(
        data, "WaitingForClaim", fmt::format("The deletion waits for Metal3DataClaim {}", claimOf(*data)->name));
  std::optional<Hindrance> refusal, wait;
  try {
    co_await data_.addresses.release(*data);
  } catch (const kube::Error& error) {
    if (!isRefusal(error)) throw;
    refusal =
        Hindrance::problem("ReleaseRefused", fmt::format("Failed to release IP address leases: {}", error.what()));
  } catch (const Hindrance& hindrance) {
    wait = hindrance;
  }
  if (wait)
    co_return co_await troubles_.tellWait(data, wait->reason(), fmt::format("The deletion waits: {}", wait->what()));
  if (refusal) co_return co_await troubles_.tell(data, *refusal);
  kube::removeFinalizer(data->metadata, finalizer::data);
  kube::removeFinalizer(data->metadata, finalizer::dataClaim);  // nobody else would
  co_await data.save();
  co_return kube::Next::onChange();
}

// Asks the server too: machines may still use the addresses.
base::Task<bool> DataReconciler::isClaimed(Metal3Data data) {
  const auto key = claimOf(data);
  if (!key) co_return false;
  if (data_.claims.isUnreadable(*key)) co_return true;
  const auto seen = data_.claims.find(*key);
  const auto hasOthers = [&](const Metal3DataClaim& claim) {
    const std::string name = renderedName(claim);
    return !name.empty() && name != data.metadata.name;
  };
  if (seen && isMadeFor(data, *seen) && !hasOthers(*seen)) co_return true;
  const auto stored = co_await world().client.get<Metal3DataClaim>(*key);
  if (!stored || !isMadeFor(data, *stored)) co_return false;
  if (!hasOthers(*stored)) co_return true;
  co_return !co_await isReplaced(std::move(data), *stored);
}

base::Task<bool> DataReconciler::isReplaced(Metal3Data data, Metal3DataClaim claim) {
  if (data_.subjects.isTaken(data, claim)) co_return false;
  const auto other = co_await world().client.get<Metal3Data>({data.metadata.namespace_, renderedName(claim)});
  if (!other) co_return false;
  co_return isMadeFor(*other, claim);
}

}  // namespace ingot::coordinator::data
