#include "coordinator/data/references.hpp"

#include "api/capm3/names.hpp"
#include "kube/runtime/finalizer.hpp"

namespace ingot::coordinator::data {
namespace {

std::optional<kube::ObjectKey> templateNamed(const std::optional<api::capm3::v1beta2::ObjectRef>& reference,
                                             const std::string& namespace_) {
  if (!reference || reference->name.empty()) return std::nullopt;
  if (!reference->namespace_.empty() && reference->namespace_ != namespace_) return std::nullopt;
  return kube::ObjectKey{namespace_, reference->name};
}

}  // namespace

std::optional<kube::ObjectKey> templateOf(const Metal3DataClaim& claim) {
  return templateNamed(claim.spec.template_, claim.metadata.namespace_);
}

std::optional<kube::ObjectKey> templateOf(const Metal3Data& data) {
  return templateNamed(data.spec.template_, data.metadata.namespace_);
}

std::optional<kube::ObjectKey> claimOf(const Metal3Data& data) {
  if (!data.spec.claim || data.spec.claim->name.empty()) return std::nullopt;
  return kube::ObjectKey{data.metadata.namespace_, data.spec.claim->name};
}

std::optional<MachineOf> machineOf(const Metal3DataClaim& claim) {
  const kube::ObjectMeta& metadata = claim.metadata;
  if (const auto* owner = cluster::ownerOfKind(metadata, Metal3Machine::info))
    return MachineOf{{metadata.namespace_, owner->name}, owner->uid};
  if (kube::hasFinalizer(metadata, api::capm3::finalizer::machine)) return MachineOf{metadata.key(), ""};
  return std::nullopt;
}

std::optional<kube::ObjectKey> clusterOf(const kube::ObjectMeta& metadata) {
  const std::string* name = metadata.label(std::string(api::capm3::label::clusterName));
  if (name == nullptr || name->empty()) return std::nullopt;
  return kube::ObjectKey{metadata.namespace_, *name};
}

bool isMadeFor(const Metal3Data& data, const Metal3DataClaim& claim) {
  if (claimOf(data) != claim.metadata.key()) return false;
  const auto* owner = cluster::ownerOfKind(data.metadata, Metal3DataClaim::info);
  return owner == nullptr || owner->uid == claim.metadata.uid;
}

std::string renderedName(const Metal3DataClaim& claim) {
  return claim.status.renderedData ? claim.status.renderedData->name : "";
}

bool isTakenBy(const Metal3Data& data, const Metal3Machine* machine) {
  return machine != nullptr && machine->status.renderedData &&
         machine->status.renderedData->name == data.metadata.name &&
         machine->metadata.namespace_ == data.metadata.namespace_;
}

}  // namespace ingot::coordinator::data
