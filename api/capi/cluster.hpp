// Cluster, cluster.x-k8s.io/v1beta2, as controllers see it: the fields that they read, small where thousands are
// cached. The whole kind is api/capi/v1beta2/cluster.hpp. Changes leave as patches, which keep every other field; who
// creates or replaces a Cluster takes the whole kind.
#pragma once

#include "api/capi/machine.hpp"

namespace ingot::api::capi {

// Absent when the host is empty.
struct ControlPlaneEndpoint {
  std::string host;
  int port = 0;

  static void describe(auto& v) {
    v.field("host", &ControlPlaneEndpoint::host);
    v.field("port", &ControlPlaneEndpoint::port);
  }
  friend bool operator==(const ControlPlaneEndpoint&, const ControlPlaneEndpoint&) = default;
};

struct ClusterSpec {
  std::optional<bool> paused;
  ControlPlaneEndpoint controlPlaneEndpoint;
  ContractReference controlPlaneRef, infrastructureRef;

  static void describe(auto& v) {
    using S = ClusterSpec;
    v.field("paused", &S::paused);
    v.field("controlPlaneEndpoint", &S::controlPlaneEndpoint);
    v.field("controlPlaneRef", &S::controlPlaneRef);
    v.field("infrastructureRef", &S::infrastructureRef);
  }
  friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

struct ClusterInitialization {
  std::optional<bool> infrastructureProvisioned, controlPlaneInitialized;

  static void describe(auto& v) {
    v.field("infrastructureProvisioned", &ClusterInitialization::infrastructureProvisioned);
    v.field("controlPlaneInitialized", &ClusterInitialization::controlPlaneInitialized);
  }
  friend bool operator==(const ClusterInitialization&, const ClusterInitialization&) = default;
};

struct ClusterStatus {
  std::vector<kube::Condition> conditions;
  ClusterInitialization initialization;
  std::string phase;
  Deprecated deprecated;

  static void describe(auto& v) {
    using S = ClusterStatus;
    v.field("conditions", &S::conditions);
    v.field("initialization", &S::initialization);
    v.field("phase", &S::phase);
    v.field("deprecated", &S::deprecated);
  }
  friend bool operator==(const ClusterStatus&, const ClusterStatus&) = default;
};

struct Cluster {
  kube::ObjectMeta metadata;
  ClusterSpec spec;
  ClusterStatus status;

  static const kube::KindInfo info;

  [[nodiscard]] bool paused() const { return spec.paused.value_or(false); }

  static void describe(auto& v) {
    v.field("metadata", &Cluster::metadata);
    v.field("spec", &Cluster::spec);
    v.field("status", &Cluster::status);
  }
  friend bool operator==(const Cluster&, const Cluster&) = default;
};

}  // namespace ingot::api::capi

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::Cluster>();
