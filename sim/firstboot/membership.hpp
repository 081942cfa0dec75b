// What a machine needs to become a Node, from what kubeadm was asked to do.
#pragma once

#include "base/secret.hpp"
#include "sim/firstboot/first_boot.hpp"

namespace ingot::sim::firstboot {

// As the kubelet registers it.
struct NodeRegistration {
  std::string name, providerId;
  std::map<std::string, std::string> labels;
  json::Array taints;
};

// How a machine without the authority's key finds it and proves itself.
struct Discovery {
  base::Secret token;
  std::vector<std::string> caCertHashes;  // "sha256:…", of the authority's public key
  bool unverified = false;                // asked for: any authority will do
};

// The authority that the machine's files hold.
struct ClusterAuthority {
  std::string certificatePem;
  base::Secret privateKeyPem;
};

struct Membership {
  std::string serverUrl;
  NodeRegistration node;
  std::optional<ClusterAuthority> authority;  // of a control plane
  std::optional<Discovery> discovery;         // of who joins
  json::Value clusterConfiguration;           // of `kubeadm init`; null otherwise

  [[nodiscard]] bool isControlPlane() const { return authority.has_value(); }
  [[nodiscard]] bool isFirst() const { return !clusterConfiguration.is_null(); }
};

inline constexpr std::string_view controlPlaneRole = "node-role.kubernetes.io/control-plane";

// nullopt when no command calls kubeadm. Throws BootError naming the field or file that is missing.
[[nodiscard]] std::optional<Membership> membershipOf(const FirstBoot& boot);

}  // namespace ingot::sim::firstboot
