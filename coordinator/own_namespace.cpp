#include "coordinator/own_namespace.hpp"

namespace ingot::coordinator {

std::string ownNamespace(const Options& options, const kube::Environment& environment,
                         const std::optional<kube::ClusterConfig>& cluster) {
  if (const auto told = environment("POD_NAMESPACE"); told && !told->empty()) return *told;
  if (cluster && !cluster->podNamespace.empty()) return cluster->podNamespace;
  const auto watched = namespacesOf(options);
  return watched.empty() ? "default" : watched.front();
}

std::string ownPod(const kube::Environment& environment) {
  return environment("POD_NAME").value_or(environment("HOSTNAME").value_or(""));
}

}  // namespace ingot::coordinator
