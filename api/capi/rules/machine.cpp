#include "api/capi/admission.hpp"
#include "api/capm3/names.hpp"

#include <algorithm>

namespace ingot::api::capi {

namespace {

constexpr int kNodeDeletionTimeoutSeconds = 10;

// Its bootstrap data are the pool's.
bool isOfPool(const kube::ObjectMeta& metadata) {
  return metadata.labels.contains("cluster.x-k8s.io/pool-name") ||
         std::ranges::any_of(metadata.ownerReferences, [](const auto& owner) { return owner.kind == "MachinePool"; });
}

bool isDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}
bool isNumber(std::string_view text) { return isDigits(text) && (text == "0" || !text.starts_with('0')); }
bool isWord(std::string_view text) {
  constexpr std::string_view allowed = "0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}
bool isPreRelease(std::string_view text) { return isWord(text) && (!isDigits(text) || isNumber(text)); }

// The text from `separator` on, without it; nullopt when there is none.
std::optional<std::string_view> cutAt(std::string_view& text, char separator) {
  const auto at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto tail = text.substr(at + 1);
  text = text.substr(0, at);
  return tail;
}

// The number of parts between dots; nullopt when one is not as wanted.
std::optional<int> partsOf(std::string_view text, bool (*isPart)(std::string_view)) {
  int count = 0;
  for (std::optional<std::string_view> rest = text; rest; ++count) {
    std::string_view part = *rest;
    rest = cutAt(part, '.');
    if (!isPart(part)) return std::nullopt;
  }
  return count;
}

// semver.org: 1.34.1-rc.0+build.5
bool isSemantic(std::string_view version) {
  const auto build = cutAt(version, '+'), preRelease = cutAt(version, '-');
  return partsOf(version, isNumber) == 3 && (!preRelease || partsOf(*preRelease, isPreRelease)) &&
         (!build || partsOf(*build, isWord));
}

void checkVersion(const std::string& version, FieldErrors& errors) {
  if (version.empty()) return;
  const bool hasPrefix = version.starts_with('v');
  if (!hasPrefix) errors.invalid("spec.version", version, "must start with v");
  if (!isSemantic(std::string_view(version).substr(hasPrefix ? 1 : 0)))
    errors.invalid("spec.version", version, "must be a valid semantic version");
}

// What is wrong with a key that Kubernetes or Cluster API itself uses; "": nothing.
std::string_view taintKeyProblem(std::string_view key) {
  if (key == "node.cluster.x-k8s.io/uninitialized" || key == "node.cluster.x-k8s.io/outdated-revision")
    return "taint key is not allowed";
  if (key.starts_with("node.kubernetes.io/") && key != "node.kubernetes.io/out-of-service")
    return "taint key must not have the prefix node.kubernetes.io/, except for node.kubernetes.io/out-of-service";
  if (key.starts_with("node.cloudprovider.kubernetes.io/"))
    return "taint key must not have the prefix node.cloudprovider.kubernetes.io/";
  if (key == "node-role.kubernetes.io/master") return "taint is deprecated since 1.24 and should not be used anymore";
  return "";
}

void checkTaints(const v1beta2::Machine& machine, FieldErrors& errors) {
  const bool isWorker = !machine.metadata.labels.contains(std::string(capm3::label::controlPlane));
  const auto& taints = machine.spec.taints;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const std::string& key = taints[i].key;
    const std::string field = fmt::format("spec.taints[{}].key", i);
    if (const auto problem = taintKeyProblem(key); !problem.empty()) errors.invalid(field, key, problem);
    if (isWorker && key == "node-role.kubernetes.io/control-plane")
      errors.invalid(field, key, "taint is not allowed for worker Machines");
  }
}

}  // namespace

void setDefaults(v1beta2::Machine& machine) {
  auto& spec = machine.spec;
  machine.metadata.labels[std::string(capm3::label::clusterName)] = spec.clusterName;
  if (!spec.version.empty() && !spec.version.starts_with('v')) spec.version.insert(0, "v");
  if (!spec.deletion.nodeDeletionTimeoutSeconds) spec.deletion.nodeDeletionTimeoutSeconds = kNodeDeletionTimeoutSeconds;
}

Verdict admitCreate(const v1beta2::Machine& machine) {
  Verdict out;
  const auto& spec = machine.spec;
  const bool hasData = spec.bootstrap.dataSecretName || spec.bootstrap.configRef != v1beta2::ContractReference{};
  if (!hasData && !isOfPool(machine.metadata))
    out.fields.required("spec.bootstrap",
                        "expected either spec.bootstrap.dataSecretName or spec.bootstrap.configRef to be populated");
  checkVersion(spec.version, out.fields);
  checkTaints(machine, out.fields);
  return out;
}

Verdict admitUpdate(const v1beta2::Machine& before, const v1beta2::Machine& after) {
  Verdict out = admitCreate(after);
  if (before.spec.clusterName != after.spec.clusterName) out.fields.forbidden("spec.clusterName", "field is immutable");
  return out;
}

}  // namespace ingot::api::capi
