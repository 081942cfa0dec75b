#include "coordinator/data/claim_reconciler.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/data/creation.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/runtime/finalizer.hpp"

#include <fmt/format.h>

#include <tuple>

namespace ingot::coordinator::data {
namespace {

using Code = kube::Error::Code;
namespace finalizer = api::capm3::finalizer;

std::optional<api::SecretReference> secretNamed(bool isWanted, const Metal3DataClaim& claim, const std::string& machine,
                                                const char* suffix) {
  if (!isWanted) return std::nullopt;
  return api::SecretReference{.name = machine + suffix, .namespace_ = claim.metadata.namespace_};
}

}  // namespace

bool mattersToClaim(const Metal3DataClaim& before, const Metal3DataClaim& after) {
  kube::ObjectMeta same = before.metadata;
  same.resourceVersion = after.metadata.resourceVersion;
  return same != after.metadata ||  // the generation stands for the spec
         (!renderedName(before).empty() && renderedName(after).empty());
}

bool isSettled(const Metal3DataClaim& claim, const kube::Cache<Metal3Data>& data) {
  const kube::ObjectKey key{claim.metadata.namespace_, renderedName(claim)};
  if (claim.metadata.beingDeleted() || key.name.empty()) return false;
  const auto seen = data.find(key);
  return (seen && isMadeFor(*seen, claim)) || data.isUnreadable(key);
}

Metal3Data dataWith(const Slot& slot, const Metal3DataClaim& claim, const Metal3DataTemplate& dataTemplate,
                    bool isOurs) {
  Metal3Data data;
  const kube::ObjectKey key = slot.dataKey();
  data.metadata.name = key.name;
  data.metadata.namespace_ = key.namespace_;
  data.metadata.labels = claim.metadata.labels;
  data.metadata.finalizers = {std::string(finalizer::dataClaim)};
  if (isOurs) kube::addFinalizer(data.metadata, finalizer::data);
  kube::OwnerReference manager = kube::ownerReferenceTo(claim, false);
  manager.controller = true;
  data.metadata.ownerReferences = {std::move(manager)};
  data.spec.index = slot.index;
  data.spec.template_ = {.name = slot.dataTemplate.name, .namespace_ = key.namespace_};
  data.spec.claim = {.name = claim.metadata.name, .namespace_ = key.namespace_};
  const auto* machine = cluster::ownerOfKind(claim.metadata, Metal3Machine::info);
  if (machine == nullptr) return data;
  data.metadata.ownerReferences.push_back(
      {.apiVersion = machine->apiVersion, .kind = machine->kind, .name = machine->name, .uid = machine->uid});
  data.spec.metaData = secretNamed(dataTemplate.spec.metaData.has_value(), claim, machine->name, "-metadata");
  data.spec.networkData = secretNamed(dataTemplate.spec.networkData.has_value(), claim, machine->name, "-networkdata");
  return data;
}

ClaimReconciler::ClaimReconciler(base::Runtime runtime, kube::PassWorld<Metal3DataClaim> world, ClaimWorld claims)
    : ObjectReconciler(std::move(world)), runtime_(std::move(runtime)), claims_(claims), troubles_(runtime_.clock) {}

void ClaimReconciler::gone(const kube::ObjectKey& key) {
  troubles_.forget(key);
  lostAnswers_.erase(key);
  claims_.indexes.withdraw(key);
}

base::Task<kube::Next> ClaimReconciler::run(kube::Pass<Metal3DataClaim>& claim) {
  const Rest rest = claims_.gate.restOf(claim->metadata);
  if (rest == Rest::unknown) co_return kube::Next::after(kLookAgain);
  if (rest == Rest::paused) {
    if (!api::capi::isPaused(claim->metadata)) co_await troubles_.retractFailure(claim);
    co_return kube::Next::onChange();
  }
  const auto key = templateOf(*claim);
  if (const auto dataTemplate = key ? claims_.templates.find(*key) : nullptr) {
    const bool isOurs = claims_.gate.takes(dataTemplate->metadata) && !api::capi::isPaused(dataTemplate->metadata);
    if (!isOurs && !leavesWithNothing(*claim)) co_return co_await restWith(claim, dataTemplate);
  }
  co_return co_await troubles_.watch(claim, work(claim));
}

base::Task<kube::Next> ClaimReconciler::restWith(kube::Pass<Metal3DataClaim>& claim,
                                                 std::shared_ptr<const Metal3DataTemplate> dataTemplate) {
  const kube::ObjectMeta& metadata = dataTemplate->metadata;
  if (claims_.gate.takes(metadata)) co_await troubles_.retractFailure(claim);  // else another process tries, and tells
  co_await troubles_.retract(claim, textOfMissing(Metal3DataTemplate::info, metadata.name));
  if (!metadata.beingDeleted())
    co_await troubles_.retract(claim, textOfLeaving(Metal3DataTemplate::info, metadata.name));
  co_return kube::Next::onChange();  // its template brings it back
}

base::Task<kube::Next> ClaimReconciler::work(kube::Pass<Metal3DataClaim>& claim) {
  if (claim->metadata.beingDeleted()) co_return co_await release(claim);
  if (isMachineUnreadable(*claim)) co_return kube::Next::after(kLookAgain);
  if (isSettled(*claim, claims_.data)) co_return co_await removeSpares(*claim);
  if (co_await claims_.unseenClusters.isPaused(clusterOf(claim->metadata))) co_return kube::Next::after(kLookAgain);
  if (co_await keepsItsData(claim)) co_return kube::Next::after(kLookAgain);  // the cache brings it back
  co_return co_await serve(claim);
}

// It bears our finalizer from its creation; what was never answered needs no template to go.
bool ClaimReconciler::leavesWithNothing(const Metal3DataClaim& claim) const {
  const kube::ObjectKey key = claim.metadata.key();
  return claim.metadata.beingDeleted() && renderedName(claim).empty() && claims_.dataOf.find(key).empty() &&
         !claims_.indexes.unconfirmed(key);
}

// The index of data that are gone is given again: a machine must not take what is another's by now.
base::Task<bool> ClaimReconciler::keepsItsData(kube::Pass<Metal3DataClaim>& claim) {
  const std::string name = renderedName(*claim);
  if (name.empty()) co_return false;
  const auto stored = co_await world().client.get<Metal3Data>({claim.key().namespace_, name});
  if (stored && isMadeFor(*stored, *claim)) co_return true;
  claim.journal().warning("DataLost", fmt::format("Metal3Data {} is gone, or another claim's by now", name));
  claim->status.renderedData.reset();
  co_return false;
}

// --- giving data ---------------------------------------------------------------------------------------------------

base::Task<kube::Next> ClaimReconciler::serve(kube::Pass<Metal3DataClaim>& claim) {
  std::optional<Hindrance> hindrance;
  std::optional<std::string> name;
  try {
    name = co_await dataFor(claim);
  } catch (const Hindrance& problem) {
    hindrance = problem;
  }
  if (hindrance) co_return co_await troubles_.tell(claim, *hindrance);
  if (name) {
    troubles_.over(claim);
    claim->status.renderedData = {.name = *name, .namespace_ = claim.key().namespace_};
  }
  co_await claim.save();
  if (!name) co_return kube::Next::onChange();  // its template brings it back
  co_return co_await removeSpares(*claim);
}

base::Task<std::optional<std::string>> ClaimReconciler::dataFor(kube::Pass<Metal3DataClaim>& claim) {
  if (const auto existing = existingFor(*claim)) {
    kube::addFinalizer(claim->metadata, finalizer::dataClaim);
    co_return existing->metadata.name;
  }
  const auto dataTemplate = templateFor(*claim);
  // Without our finalizer it may be gone before the data.
  if (!kube::hasFinalizer(dataTemplate->metadata, finalizer::dataTemplate)) co_return std::nullopt;
  if (cluster::ownerOfKind(claim->metadata, Metal3Machine::info) == nullptr)
    throw Hindrance::problem("ClaimWithoutMachine", "metal3Machine not found in owner references");
  const Slot slot = claims_.indexes.reserve(*claim, dataTemplate->metadata.key());
  kube::addFinalizer(claim->metadata, finalizer::dataClaim);
  co_await claim.save();
  co_await create(dataWith(slot, *claim, *dataTemplate, claims_.gate.takes(claim->metadata)), *claim);
  co_return slot.dataKey().name;
}

// Those in deletion stay as long as the claim has them, but are not completed any more.
std::shared_ptr<const Metal3Data> ClaimReconciler::existingFor(const Metal3DataClaim& claim) const {
  const auto machine = machineFor(claim);
  std::shared_ptr<const Metal3Data> best;
  const auto rank = [&](const Metal3Data& data) {
    return std::tuple(!isTakenBy(data, machine.get()), !data.status.ready.value_or(false), data.spec.index.value_or(0));
  };
  for (const auto& key : claims_.dataOf.find(claim.metadata.key())) {
    auto data = claims_.data.find(key);
    if (!data || !isMadeFor(*data, claim) || templateOf(*data) != templateOf(claim)) continue;
    const bool isUsable =
        !data->metadata.beingDeleted() || data->status.ready.value_or(false) || isTakenBy(*data, machine.get());
    if (isUsable && (!best || rank(*data) < rank(*best))) best = std::move(data);
  }
  return best;
}

std::shared_ptr<const Metal3Machine> ClaimReconciler::machineFor(const Metal3DataClaim& claim) const {
  const auto machine = machineOf(claim);
  return machine ? claims_.metalMachines.find(machine->key) : nullptr;
}

bool ClaimReconciler::isMachineUnreadable(const Metal3DataClaim& claim) const {
  const auto machine = machineOf(claim);
  return machine && claims_.metalMachines.isUnreadable(machine->key);
}

// Two may be made for a claim when a request is carried out late. Their Secrets have the same names: neither would get
// its own.
base::Task<kube::Next> ClaimReconciler::removeSpares(Metal3DataClaim claim) {
  if (isMachineUnreadable(claim)) co_return kube::Next::after(kLookAgain);
  const std::string name = renderedName(claim);
  const auto machine = machineFor(claim);
  for (const auto& key : claims_.dataOf.copy(claim.metadata.key())) {
    const auto data = claims_.data.find(key);
    const bool isSpare = data && key.name != name && !data->metadata.beingDeleted() &&
                         data->metadata.ownedBy(claim.metadata.uid) && !isTakenBy(*data, machine.get());
    if (isSpare) co_await remove(*data);
  }
  co_return kube::Next::onChange();
}

std::shared_ptr<const Metal3DataTemplate> ClaimReconciler::templateFor(const Metal3DataClaim& claim) const {
  const auto key = templateOf(claim);
  if (!key) throw Hindrance::problem("NoTemplate", "spec.template names no Metal3DataTemplate of this namespace");
  auto found = claims_.templates.find(*key);
  if (!found) throw Hindrance::late("TemplateMissing", textOfMissing(Metal3DataTemplate::info, key->name));
  if (found->metadata.beingDeleted())
    throw Hindrance::problem("TemplateLeaving", textOfLeaving(Metal3DataTemplate::info, key->name));
  return found;
}

base::Task<void> ClaimReconciler::create(Metal3Data data, Metal3DataClaim claim) {
  const kube::ObjectKey key = data.metadata.key();
  try {
    static_cast<void>(co_await world().client.create(std::move(data)));
    lostAnswers_.erase(claim.metadata.key());
    co_return;
  } catch (const kube::Error& error) {
    if (isRefusal(error)) {
      claims_.indexes.withdraw(claim.metadata.key());
      throw Hindrance::problem("DataRefused",
                               fmt::format("Failed to create associated Metal3Data object: {}", error.what()));
    }
    if (error.code() != Code::alreadyExists) {
      lostAnswers_[claim.metadata.key()] = runtime_.clock.now();
      throw;
    }
  }
  const auto stored = co_await world().client.get<Metal3Data>(key);
  const bool isIts = stored && !stored->metadata.beingDeleted() && isMadeFor(*stored, claim);
  if (isIts) co_return;                            // the answer to an earlier request was lost
  claims_.indexes.withdraw(claim.metadata.key());  // once the cache shows it, its index is in use
  throw kube::NotReady("another Metal3Data is called " + key.name, std::chrono::seconds(1));
}

// --- taking them back ----------------------------------------------------------------------------------------------

base::Task<kube::Next> ClaimReconciler::release(kube::Pass<Metal3DataClaim>& claim) {
  if (co_await isInUse(*claim))
    co_return co_await troubles_.tellWait(
        claim, "WaitingForMachine",
        fmt::format("The deletion waits for Metal3Machine {}", machineOf(*claim)->key.name));
  std::optional<Hindrance> refusal;
  try {
    co_await removeData(*claim);
  } catch (const kube::Error& error) {
    if (!isRefusal(error)) throw;
    refusal = Hindrance::problem("DeletionRefused",
                                 fmt::format("Failed to delete associated Metal3Data object: {}", error.what()));
  }
  if (refusal) co_return co_await troubles_.tell(claim, *refusal);
  claims_.indexes.withdraw(claim.key());
  kube::removeFinalizer(claim->metadata, finalizer::dataClaim);
  kube::removeFinalizer(claim->metadata, finalizer::machine);  // its machine is gone, or has let go of it
  co_await claim.save();
  co_return kube::Next::onChange();
}

base::Task<void> ClaimReconciler::removeData(Metal3DataClaim claim) {
  for (const auto& key : claims_.dataOf.copy(claim.metadata.key()))
    if (const auto data = claims_.data.find(key); data && isMadeFor(*data, claim)) co_await remove(*data);
  co_await releaseUnseen(std::move(claim));
}

// A machine that has not let go of the claim runs with its addresses.
base::Task<bool> ClaimReconciler::isInUse(Metal3DataClaim claim) {
  if (!kube::hasFinalizer(claim.metadata, finalizer::machine)) co_return false;
  const auto machine = machineOf(claim);
  if (!machine) co_return false;
  if (claims_.metalMachines.isUnreadable(machine->key)) co_return true;
  const auto seen = claims_.metalMachines.find(machine->key);
  if (seen && machine->is(*seen)) co_return true;
  const auto stored = co_await world().client.get<Metal3Machine>(machine->key);
  co_return stored && machine->is(*stored);
}

// Made a moment ago, or maybe still to be made, and in no cache yet.
base::Task<void> ClaimReconciler::releaseUnseen(Metal3DataClaim claim) {
  const auto slot = claims_.indexes.unconfirmed(claim.metadata.key());
  if (!slot) co_return;
  auto stored = co_await world().client.get<Metal3Data>(slot->dataKey());
  if (stored && isMadeFor(*stored, claim)) co_return co_await remove(std::move(*stored));
  const auto asked = lostAnswers_.find(claim.metadata.key());
  if (asked == lostAnswers_.end()) co_return;
  const base::Duration passed = runtime_.clock.now() - asked->second;
  if (passed < kLostAnswer) throw kube::NotReady("data may still be made for it", kLostAnswer - passed);
}

base::Task<void> ClaimReconciler::remove(Metal3Data data) {
  const bool isLeaving = data.metadata.beingDeleted();
  const std::string uid = data.metadata.uid;
  kube::Draft<Metal3Data> draft(std::move(data));
  const bool wasHeld = kube::removeFinalizer(draft->metadata, finalizer::dataClaim);
  try {
    if (wasHeld && co_await kube::save(world().client, draft, &claims_.data) == kube::Saved::gone) co_return;
    if (!isLeaving) static_cast<void>(co_await world().client.remove<Metal3Data>(draft.key(), {.uid = uid}));
  } catch (const kube::Error& error) {
    if (error.code() != Code::notFound) throw;
  }
}

}  // namespace ingot::coordinator::data
