// Words of infrastructure.cluster.x-k8s.io that controllers, rendering and clients share (spec/capm3.md §2).
#pragma once

#include <string_view>

namespace ingot::api::capm3 {

inline constexpr std::string_view kGroup = "infrastructure.cluster.x-k8s.io";

namespace finalizer {
inline constexpr std::string_view cluster = "metal3cluster.infrastructure.cluster.x-k8s.io",
                                  machine = "metal3machine.infrastructure.cluster.x-k8s.io",
                                  dataTemplate = "metal3datatemplate.infrastructure.cluster.x-k8s.io",
                                  dataClaim = "metal3dataclaim.infrastructure.cluster.x-k8s.io",
                                  data = "metal3data.infrastructure.cluster.x-k8s.io",
                                  remediation = "metal3remediation.infrastructure.cluster.x-k8s.io";
}

namespace label {
inline constexpr std::string_view clusterName = "cluster.x-k8s.io/cluster-name",
                                  watchFilter = "cluster.x-k8s.io/watch-filter",
                                  controlPlane = "cluster.x-k8s.io/control-plane",
                                  nodeReuse = "infrastructure.cluster.x-k8s.io/node-reuse",
                                  failureDomain = "infrastructure.cluster.x-k8s.io/failure-domain",
                                  dataName = "infrastructure.cluster.x-k8s.io/data-name",
                                  poolName = "infrastructure.cluster.x-k8s.io/pool-name", hostUid = "metal3.io/uuid";
}

namespace annotation {
inline constexpr std::string_view host = "metal3.io/BareMetalHost", paused = "cluster.x-k8s.io/paused",
                                  managedBy = "cluster.x-k8s.io/managed-by",
                                  clonedFromName = "cluster.x-k8s.io/cloned-from-name",
                                  clonedFromGroupKind = "cluster.x-k8s.io/cloned-from-groupkind",
                                  conversionData = "cluster.x-k8s.io/conversion-data",
                                  blockMove = "clusterctl.cluster.x-k8s.io/block-move",
                                  labelSyncPrefixes = "metal3.io/metal3-label-sync-prefixes",
                                  unhealthy = "capm3.metal3.io/unhealthy", unhealthyOld = "capi.metal3.io/unhealthy";
}

inline constexpr std::string_view kSecretType = "infrastructure.cluster.x-k8s.io/secret";
inline constexpr std::string_view kProviderIdPrefix = "metal3://";

}  // namespace ingot::api::capm3
