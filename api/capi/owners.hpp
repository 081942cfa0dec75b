// What owns Machines: MachineSet and MachineDeployment (cluster.x-k8s.io/v1beta2), KubeadmControlPlane
// (controlplane.cluster.x-k8s.io/v1beta2). Only the fields that we read.
#pragma once

#include "api/capi/machine.hpp"

namespace ingot::api::capi {

struct MachineTemplate {
  MachineSpec spec;

  static void describe(auto& v) { v.field("spec", &MachineTemplate::spec); }
  friend bool operator==(const MachineTemplate&, const MachineTemplate&) = default;
};

struct MachineSetSpec {
  std::string clusterName;
  std::optional<int> replicas;
  MachineTemplate template_;

  static void describe(auto& v) {
    v.field("clusterName", &MachineSetSpec::clusterName).required();
    v.field("replicas", &MachineSetSpec::replicas);
    v.field("template", &MachineSetSpec::template_).required();
  }
  friend bool operator==(const MachineSetSpec&, const MachineSetSpec&) = default;
};

struct MachineSet {
  kube::ObjectMeta metadata;
  MachineSetSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &MachineSet::metadata);
    v.field("spec", &MachineSet::spec);
  }
  friend bool operator==(const MachineSet&, const MachineSet&) = default;
};

struct RollingUpdate {
  std::optional<json::IntOrString> maxSurge, maxUnavailable;

  static void describe(auto& v) {
    v.field("maxSurge", &RollingUpdate::maxSurge);
    v.field("maxUnavailable", &RollingUpdate::maxUnavailable);
  }
  friend bool operator==(const RollingUpdate&, const RollingUpdate&) = default;
};

struct RolloutStrategy {
  std::string type;
  RollingUpdate rollingUpdate;

  static void describe(auto& v) {
    v.field("type", &RolloutStrategy::type).required();
    v.field("rollingUpdate", &RolloutStrategy::rollingUpdate);
  }
  friend bool operator==(const RolloutStrategy&, const RolloutStrategy&) = default;
};

struct Rollout {
  RolloutStrategy strategy;

  static void describe(auto& v) { v.field("strategy", &Rollout::strategy); }
  friend bool operator==(const Rollout&, const Rollout&) = default;
};

struct MachineDeploymentSpec {
  std::string clusterName;
  std::optional<int> replicas;
  Rollout rollout;
  MachineTemplate template_;

  static void describe(auto& v) {
    using S = MachineDeploymentSpec;
    v.field("clusterName", &S::clusterName).required();
    v.field("replicas", &S::replicas);
    v.field("rollout", &S::rollout);
    v.field("template", &S::template_).required();
  }
  friend bool operator==(const MachineDeploymentSpec&, const MachineDeploymentSpec&) = default;
};

struct MachineDeployment {
  kube::ObjectMeta metadata;
  MachineDeploymentSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &MachineDeployment::metadata);
    v.field("spec", &MachineDeployment::spec);
  }
  friend bool operator==(const MachineDeployment&, const MachineDeployment&) = default;
};

struct KubeadmControlPlaneSpec {
  std::optional<int> replicas;
  std::string version;
  Rollout rollout;

  static void describe(auto& v) {
    using S = KubeadmControlPlaneSpec;
    v.field("replicas", &S::replicas);
    v.field("version", &S::version).required();
    v.field("rollout", &S::rollout);
  }
  friend bool operator==(const KubeadmControlPlaneSpec&, const KubeadmControlPlaneSpec&) = default;
};

struct KubeadmControlPlane {
  kube::ObjectMeta metadata;
  KubeadmControlPlaneSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &KubeadmControlPlane::metadata);
    v.field("spec", &KubeadmControlPlane::spec);
  }
  friend bool operator==(const KubeadmControlPlane&, const KubeadmControlPlane&) = default;
};

}  // namespace ingot::api::capi

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::MachineSet>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::MachineDeployment>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::KubeadmControlPlane>();
