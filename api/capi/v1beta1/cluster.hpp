// Cluster, cluster.x-k8s.io/v1beta1.
#pragma once

#include "api/capi/v1beta1/topology.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capi::v1beta1 {

struct NetworkRanges {
  std::vector<std::string> cidrBlocks;

  static void describe(auto& v) {
    v.field("cidrBlocks", &NetworkRanges::cidrBlocks)
        .required()
        .maxItems(100)
        .itemSchema("minLength", 1)
        .itemSchema("maxLength", 43)
        .doc("Ranges in CIDR notation.");
  }
  friend bool operator==(const NetworkRanges&, const NetworkRanges&) = default;
};

struct ClusterNetwork {
  std::optional<int> apiServerPort;
  std::optional<NetworkRanges> services, pods;
  std::string serviceDomain;

  static void describe(auto& v) {
    using S = ClusterNetwork;
    int32(v.field("apiServerPort", &S::apiServerPort)).doc("Port of the API servers; 6443 when absent.");
    v.field("services", &S::services).doc("Addresses of services.");
    v.field("pods", &S::pods).doc("Addresses of pods.");
    text(v.field("serviceDomain", &S::serviceDomain), 253).doc("Domain of services.");
  }
  friend bool operator==(const ClusterNetwork&, const ClusterNetwork&) = default;
};

struct APIEndpoint {
  std::string host;
  int port = 0;

  static void describe(auto& v) {
    v.field("host", &APIEndpoint::host).always().maxLength(512).doc("Host name or IP address of the API server.");
    int32(v.field("port", &APIEndpoint::port)).always().doc("TCP port of the API server.");
  }
  friend bool operator==(const APIEndpoint&, const APIEndpoint&) = default;
};

struct ClusterSpec {
  bool paused = false;
  std::optional<ClusterNetwork> clusterNetwork;
  APIEndpoint controlPlaneEndpoint;
  std::optional<kube::ObjectReference> controlPlaneRef, infrastructureRef;
  std::optional<Topology> topology;
  std::vector<ConditionGate> availabilityGates;

  static void describe(auto& v) {
    using S = ClusterSpec;
    v.doc("Desired state of the Cluster.");
    v.field("paused", &S::paused).doc("Whether controllers leave the Cluster and what belongs to it as it is.");
    v.field("clusterNetwork", &S::clusterNetwork).doc("Network of the Cluster.");
    v.field("controlPlaneEndpoint", &S::controlPlaneEndpoint)
        .always()
        .doc("Endpoint of the control plane: host and port.");
    objectReference(v.field("controlPlaneRef", &S::controlPlaneRef)).doc("Object that provides the control plane.");
    objectReference(v.field("infrastructureRef", &S::infrastructureRef))
        .doc("Object that provides the infrastructure.");
    v.field("topology", &S::topology).doc("What is made from a ClusterClass.");
    gates(v.field("availabilityGates", &S::availabilityGates));
  }
  friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

struct FailureDomain {
  bool controlPlane = false;
  std::map<std::string, std::string> attributes;

  static void describe(auto& v) {
    v.field("controlPlane", &FailureDomain::controlPlane).doc("Whether it is suitable for control plane machines.");
    v.field("attributes", &FailureDomain::attributes).doc("Further attributes of the failure domain.");
  }
  friend bool operator==(const FailureDomain&, const FailureDomain&) = default;
};

// status.v1beta2: what the next version has in another form.
struct NewerClusterStatus {
  std::vector<kube::Condition> conditions;
  std::optional<ReplicaStatus> controlPlane, workers;

  static void describe(auto& v) {
    using S = NewerClusterStatus;
    newConditions(v.field("conditions", &S::conditions));
    v.field("controlPlane", &S::controlPlane).doc("Counts of control plane machines.");
    v.field("workers", &S::workers).doc("Counts of workers.");
  }
  friend bool operator==(const NewerClusterStatus&, const NewerClusterStatus&) = default;
};

struct ClusterStatus {
  std::map<std::string, FailureDomain> failureDomains;
  std::optional<std::string> failureReason, failureMessage;
  std::string phase;
  bool infrastructureReady = false, controlPlaneReady = false;
  std::vector<LegacyCondition> conditions;
  std::int64_t observedGeneration = 0;
  std::optional<NewerClusterStatus> v1beta2;

  static void describe(auto& v) {
    using S = ClusterStatus;
    v.doc("Observed state of the Cluster.");
    v.field("failureDomains", &S::failureDomains).doc("Failure domains that the infrastructure offers, by name.");
    v.field("failureReason", &S::failureReason)
        .doc("Machine-readable reason of a failure that cannot be recovered from.");
    capi::failureMessage(v.field("failureMessage", &S::failureMessage));
    clusterPhase(v.field("phase", &S::phase));
    v.field("infrastructureReady", &S::infrastructureReady).always().doc("True once the infrastructure is there.");
    v.field("controlPlaneReady", &S::controlPlaneReady).always().doc("True once the control plane answers.");
    v.field("conditions", &S::conditions).doc("Conditions in the v1beta1 form of Cluster API.");
    v.field("observedGeneration", &S::observedGeneration)
        .format("int64")
        .doc("Generation of the spec that the status is of.");
    v.field("v1beta2", &S::v1beta2).doc("Status in the form of the next API version.");
  }
  friend bool operator==(const ClusterStatus&, const ClusterStatus&) = default;
};

struct Cluster {
  kube::ObjectMeta metadata;
  ClusterSpec spec;
  ClusterStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A Kubernetes cluster that Cluster API looks after.");
    v.field("metadata", &Cluster::metadata);
    v.field("spec", &Cluster::spec).always();
    v.field("status", &Cluster::status).always();
  }
  friend bool operator==(const Cluster&, const Cluster&) = default;
};

}  // namespace ingot::api::capi::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::v1beta1::Cluster>();
