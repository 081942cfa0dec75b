#include "coordinator/workload/self_hosted.hpp"

namespace ingot::coordinator::workload {

std::optional<OwnPod> ownPodIn(const kube::Environment& environment) {
  OwnPod pod{.key = {environment("POD_NAMESPACE").value_or(""), environment("POD_NAME").value_or("")},
             .uid = environment("POD_UID").value_or("")};
  if (pod.key.namespace_.empty() || pod.key.name.empty() || pod.uid.empty()) return std::nullopt;
  return pod;
}

std::optional<kube::ClusterConfig> fromWithin(kube::ClusterConfig config, const kube::Environment& environment,
                                              std::string_view folder) {
  auto account = kube::inClusterConfig(environment, folder);
  if (!account) return std::nullopt;
  config.server = std::move(account->server);
  config.proxy = std::move(account->proxy);
  config.tls.verify = true;
  config.tls.caPem.clear();
  config.tls.caFile = std::move(account->tls.caFile);
  config.tls.serverName.clear();
  return config;
}

}  // namespace ingot::coordinator::workload
