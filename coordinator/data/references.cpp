#include "coordinator/data/references.hpp"

#include "api/capm3/names.hpp"

#include <algorithm>

namespace ingot::coordinator::data {
namespace {

std::optional<kube::ObjectKey> templateNamed(const std::optional<api::capm3::v1beta2::ObjectRef>& reference,
                                             const std::string& namespace_) {
  if (!reference || reference->name.empty()) return std::nullopt;
  if (!reference->namespace_.empty() && reference->namespace_ != namespace_) return std::nullopt;
  return kube::ObjectKey{namespace_, reference->name};
}

}  // namespace

const kube::OwnerReference* ownerOf(const kube::ObjectMeta& metadata, const kube::KindInfo& kind) {
  const auto found = std::ranges::find_if(metadata.ownerReferences, [&kind](const kube::OwnerReference& owner) {
    const std::string_view group = std::string_view(owner.apiVersion).substr(0, owner.apiVersion.find('/'));
    return owner.kind == kind.kind && group == kind.group;
  });
  return found == metadata.ownerReferences.end() ? nullptr : &*found;
}

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

std::optional<kube::ObjectKey> clusterOf(const kube::ObjectMeta& metadata) {
  const std::string* name = metadata.label(std::string(api::capm3::label::clusterName));
  if (name == nullptr || name->empty()) return std::nullopt;
  return kube::ObjectKey{metadata.namespace_, *name};
}

std::optional<kube::ObjectKey> hostOf(const Metal3Machine& machine) {
  const std::string* link = machine.metadata.annotation(std::string(api::capm3::annotation::host));
  if (link == nullptr) return std::nullopt;
  const auto slash = link->find('/');
  std::string name = slash == std::string::npos ? *link : link->substr(slash + 1);
  if (name.empty()) return std::nullopt;
  return kube::ObjectKey{machine.metadata.namespace_, std::move(name)};
}

bool isMadeFor(const Metal3Data& data, const Metal3DataClaim& claim) {
  if (claimOf(data) != claim.metadata.key()) return false;
  const auto* owner = ownerOf(data.metadata, Metal3DataClaim::info);
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
