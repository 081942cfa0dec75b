#include "api/capi/admission.hpp"
#include "base/ip_address.hpp"
#include "kube/core/names.hpp"

namespace ingot::api::capi {

namespace {

bool isSet(const v1beta2::ContractReference& reference) { return reference != v1beta2::ContractReference{}; }
bool isManaged(const v1beta2::Cluster& cluster) { return !cluster.spec.topology.classRef.name.empty(); }

// It becomes a label's value on everything that belongs to the Cluster.
void checkName(const v1beta2::Cluster& cluster, FieldErrors& errors) {
  const std::string& name = cluster.metadata.name;
  if (const auto problem = kube::labelValueProblem(name))
    errors.invalid("metadata.name", name, "must be a valid label value " + *problem);
}

void checkRanges(const std::string& field, const std::vector<std::string>& ranges, FieldErrors& errors) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (!base::IpPrefix::parse(ranges[i]))
      errors.invalid(fmt::format("{}[{}]", field, i), ranges[i], "invalid CIDR address: " + ranges[i]);
}

void checkSpec(const v1beta2::Cluster& cluster, FieldErrors& errors) {
  const auto& spec = cluster.spec;
  if (!isSet(spec.controlPlaneRef) && !isSet(spec.infrastructureRef) && !isManaged(cluster))
    errors.forbidden("spec", "one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set");
  checkRanges("spec.clusterNetwork.pods.cidrBlocks", spec.clusterNetwork.pods.cidrBlocks, errors);
  checkRanges("spec.clusterNetwork.services.cidrBlocks", spec.clusterNetwork.services.cidrBlocks, errors);
}

}  // namespace

Verdict admitCreate(const v1beta2::Cluster& cluster) {
  Verdict out;
  checkName(cluster, out.fields);
  checkSpec(cluster, out.fields);
  return out;
}

Verdict admitUpdate(const v1beta2::Cluster& before, const v1beta2::Cluster& after) {
  Verdict out = admitCreate(after);
  if (isSet(before.spec.infrastructureRef) && !isSet(after.spec.infrastructureRef))
    out.fields.forbidden("spec.infrastructureRef", "cannot be removed");
  if (isSet(before.spec.controlPlaneRef) && !isSet(after.spec.controlPlaneRef))
    out.fields.forbidden("spec.controlPlaneRef", "cannot be removed");
  if (isManaged(before) && !isManaged(after))
    out.fields.forbidden("spec.topology", "cannot be removed from an existing Cluster");
  return out;
}

}  // namespace ingot::api::capi
