#include "api/bmh/names.hpp"
#include "api/capm3/admission.hpp"
#include "api/capm3/names.hpp"

namespace ingot::api::capm3 {

namespace {

constexpr int kApiPort = 6443;

// Upstream's words; they name members by their Go names.
std::string missingEndpoint(const v1beta2::APIEndpoint& endpoint) {
  std::string missing;
  if (endpoint.host.empty()) missing += "ControlPlaneEndpoint.Host";
  if (endpoint.port == 0) missing += missing.empty() ? "ControlPlaneEndpoint.Port" : " ControlPlaneEndpoint.Port";
  return missing.empty() ? "" : "missing fields from Spec: [" + missing + "]";
}

bool isAnnotated(const v1beta2::Metal3Cluster& cluster, std::string_view name) {
  return cluster.metadata.annotation(std::string(name)) != nullptr;
}

// Our controller would take over what somebody else looks after. `clusterctl move` takes all annotations of an object
// that it lets go of.
bool losesItsManager(const v1beta2::Metal3Cluster& before, const v1beta2::Metal3Cluster& after) {
  return isAnnotated(before, annotation::managedBy) && !isAnnotated(after, annotation::managedBy) &&
         !isAnnotated(after, api::annotation::deleteForMove);
}

}  // namespace

void setDefaults(v1beta2::Metal3Cluster& cluster) {
  auto& spec = cluster.spec;
  if (spec.controlPlaneEndpoint.port == 0) spec.controlPlaneEndpoint.port = kApiPort;
  if (!spec.cloudProviderEnabled) spec.cloudProviderEnabled = false;
}

Verdict admitCreate(const v1beta2::Metal3Cluster& cluster) {
  Verdict out;
  const std::string& host = cluster.spec.controlPlaneEndpoint.host;
  if (host.empty()) out.fields.invalid("spec.controlPlaneEndpoint", host, "is required");
  return out;
}

Verdict admitUpdate(const v1beta2::Metal3Cluster& before, const v1beta2::Metal3Cluster& after) {
  Verdict out = admitCreate(after);
  if (losesItsManager(before, after))
    out.fields.forbidden(fmt::format("metadata.annotations[{}]", annotation::managedBy), "cannot be removed");
  return out;
}

Verdict admitCreate(const v1beta2::Metal3ClusterTemplate& cluster) {
  Verdict out;
  if (auto missing = missingEndpoint(cluster.spec.template_.spec.controlPlaneEndpoint); !missing.empty())
    out.errors.push_back(std::move(missing));
  return out;
}

// An update of a template that is invalid already is refused: such a template can only be replaced.
Verdict admitUpdate(const v1beta2::Metal3ClusterTemplate& before, const v1beta2::Metal3ClusterTemplate& after) {
  Verdict out = admitCreate(before);
  return out.allowed() ? admitCreate(after) : out;
}

}  // namespace ingot::api::capm3
