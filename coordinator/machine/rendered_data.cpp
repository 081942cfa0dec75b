#include "coordinator/machine/rendered_data.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/cluster/owners.hpp"
#include "coordinator/machine/error.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::machine {

namespace {

using api::SecretReference;

void take(std::optional<SecretReference>& onto, const std::optional<SecretReference>& rendered,
          const Metal3Data& data) {
  if (onto || !rendered || rendered->name.empty()) return;
  onto = SecretReference{.name = rendered->name, .namespace_ = data.metadata.namespace_};
}

}  // namespace

std::optional<Metal3DataClaim> missingDataClaim(Metal3Machine& machine, const Metal3DataClaim* existing,
                                                const Metal3DataTemplate* dataTemplate) {
  auto& wanted = machine.spec.dataTemplate;
  if (machine.status.renderedData || !wanted) return std::nullopt;
  if (wanted->namespace_.empty()) wanted->namespace_ = machine.metadata.namespace_;
  if (existing) return std::nullopt;

  Metal3DataClaim claim;
  claim.metadata.name = machine.metadata.name;
  claim.metadata.namespace_ = machine.metadata.namespace_;
  claim.metadata.labels = machine.metadata.labels;
  claim.metadata.finalizers = {std::string(api::capm3::finalizer::machine)};
  const bool isLookedAfter = dataTemplate != nullptr && !dataTemplate->metadata.beingDeleted() &&
                             kube::hasFinalizer(dataTemplate->metadata, api::capm3::finalizer::dataTemplate);
  if (isLookedAfter) kube::addFinalizer(claim.metadata, api::capm3::finalizer::dataClaim);
  kube::OwnerReference owner = kube::ownerReferenceTo(machine, false);
  owner.controller = true;
  claim.metadata.ownerReferences = {std::move(owner)};
  claim.spec.template_ = *wanted;
  return claim;
}

bool isOfEarlierMachine(const kube::ObjectMeta& metadata, const Metal3Machine& machine) {
  const auto* owner = cluster::ownerOfKind(metadata, Metal3Machine::info);
  return owner != nullptr && !owner->uid.empty() && owner->uid != machine.metadata.uid;
}

bool isRenderedFor(const Metal3Data& data, const Metal3Machine& machine) {
  const auto& claim = data.spec.claim;  // it has the machine's name
  return claim && claim->name == machine.metadata.name && !isOfEarlierMachine(data.metadata, machine);
}

std::optional<std::string> settleRenderedData(Metal3Machine& machine, const Metal3DataClaim* claim) {
  auto& rendered = machine.status.renderedData;
  if (rendered) return rendered->name;
  if (!machine.spec.dataTemplate) return std::nullopt;
  if (!claim) throw MachineError(Problem::soon, "Metal3DataClaim is not found, requeuing");
  const auto& offered = claim->status.renderedData;
  if (!offered || offered->name.empty())
    throw MachineError(Problem::soon, "waiting for Metal3DataTemplate to be available");
  rendered = *offered;
  return rendered->name;
}

void takeRenderedData(Metal3Machine& machine, const Metal3Data* data) {
  if (!data) throw MachineError(Problem::soon, "Metal3Data is not found, requeuing");
  if (!data->status.ready.value_or(false)) throw MachineError(Problem::soon, "waiting for Metal3Data to become ready");
  take(machine.status.metaData, data->spec.metaData, *data);
  take(machine.status.networkData, data->spec.networkData, *data);
}

}  // namespace ingot::coordinator::machine
