// What `kubeadm init` leaves in a cluster for those who come later.
#pragma once

#include "sim/firstboot/membership.hpp"

#include <vector>

namespace ingot::sim::kubelet {

// ConfigMap kube-system/kubeadm-config, from the document.
[[nodiscard]] json::Value kubeadmConfig(const json::Value& clusterConfiguration);
// ConfigMap kube-public/cluster-info: where the cluster is, and its authority.
[[nodiscard]] json::Value clusterInfo(const std::string& serverUrl, const std::string& caPem);
// The authority's certificate in it; "" when there is none.
[[nodiscard]] std::string authorityIn(const json::Value& clusterInfo);
// Who may read the two, and who may get a kubelet's certificate.
[[nodiscard]] std::vector<json::Value> rightsOfJoiners();

inline constexpr std::string_view kubeadmConfigPath = "/api/v1/namespaces/kube-system/configmaps/kubeadm-config";
inline constexpr std::string_view clusterInfoPath = "/api/v1/namespaces/kube-public/configmaps/cluster-info";

}  // namespace ingot::sim::kubelet
