// Cluster edge with machine m1, its data and the address that they have.
#pragma once

#include <string>

namespace ingot::cli::tests {

inline const std::string edgeCluster = R"(apiVersion: v1
kind: Namespace
metadata: {name: metal3}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: edge, namespace: metal3}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: edge}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: edge}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3Machine
metadata:
  name: m1
  namespace: metal3
  labels: {cluster.x-k8s.io/cluster-name: edge, cluster.x-k8s.io/deployment-name: workers}
  annotations: {metal3.io/BareMetalHost: metal3/n1}
spec: {image: {url: "http://images/a", checksum: "http://images/sums"}, dataTemplate: {name: t}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3DataClaim
metadata: {name: m1, namespace: metal3}
spec: {template: {name: t}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3Data
metadata: {name: t-0, namespace: metal3}
spec: {index: 0, claim: {name: m1}, template: {name: t}}
---
apiVersion: ipam.metal3.io/v1alpha1
kind: IPAddress
metadata: {name: p-192-0-2-20, namespace: metal3}
spec: {claim: {name: t-0-p}, pool: {name: p}, address: 192.0.2.20}
)";

}  // namespace ingot::cli::tests
