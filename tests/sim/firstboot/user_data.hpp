// User data as Cluster API's bootstrap manager writes it.
#pragma once

#include "sim/firstboot/first_boot.hpp"

namespace ingot::tests {

inline sim::firstboot::ConfigDrive drive(std::string userData) {
  return {.metaData = {{"uuid", "u-1"},
                       {"local-hostname", "edge-abc"},
                       {"local_hostname", "edge-abc"},
                       {"providerid", "default/host-0/edge-abc"},
                       {"nested", {{"zone-name", "a"}, {"list", {"x", "y"}}}}},
          .userData = std::move(userData)};
}

inline const std::string initData = R"(## template: jinja
#cloud-config

write_files:
-   path: /etc/kubernetes/pki/ca.crt
    owner: root:root
    permissions: '0640'
    content: |
      CERTIFICATE
-   path: /etc/kubernetes/pki/ca.key
    owner: root:root
    permissions: '0600'
    content: |
      KEY
-   path: /run/kubeadm/kubeadm.yaml
    owner: root:root
    permissions: '0640'
    content: |
      ---
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: ClusterConfiguration
      clusterName: edge
      controlPlaneEndpoint: 10.9.0.5:6443
      kubernetesVersion: v1.36.3
      ---
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: InitConfiguration
      nodeRegistration:
        imagePullPolicy: IfNotPresent
        kubeletExtraArgs:
        - name: node-labels
          value: metal3.io/uuid={{ ds.meta_data.uuid }},tier=one
        - name: provider-id
          value: metal3://{{ ds.meta_data.providerid }}
        name: '{{ ds.meta_data.local_hostname }}'
        taints: null
-   path: /run/cluster-api/placeholder
    owner: root:root
    permissions: '0640'
    content: "This placeholder file"
runcmd:
  - 'kubeadm init --config /run/kubeadm/kubeadm.yaml  && echo success > /run/cluster-api/bootstrap-success.complete'
)";

// The JoinConfiguration has these lines more.
inline std::string joinData(const std::string& more = "", const std::string& files = "") {
  return R"(## template: jinja
#cloud-config

write_files:
)" + files +
         R"(-   path: /run/kubeadm/kubeadm-join-config.yaml
    content: |
      ---
      apiVersion: kubeadm.k8s.io/v1beta4
      discovery:
        bootstrapToken:
          apiServerEndpoint: 10.9.0.5:6443
          caCertHashes:
          - sha256:0123
          token: abcdef.0123456789abcdef
      kind: JoinConfiguration
      nodeRegistration:
        name: '{{ ds.meta_data.local_hostname }}'
)" + more +
         R"(runcmd:
  - kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml  && echo success > /run/cluster-api/bootstrap-success.complete
)";
}

}  // namespace ingot::tests
