// Cluster, cluster.x-k8s.io/v1beta2, complete: what the embedded API serves. Controllers read api/capi/cluster.hpp.
#pragma once

#include "api/capi/v1beta2/topology.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capi::v1beta2 {

struct NetworkRanges {
  std::vector<std::string> cidrBlocks;

  static void describe(auto& v) {
    v.field("cidrBlocks", &NetworkRanges::cidrBlocks)
        .requiredButOmitted()
        .listType("atomic")
        .minItems(1)
        .maxItems(100)
        .itemSchema("minLength", 1)
        .itemSchema("maxLength", 43)
        .doc("Ranges in CIDR notation.");
  }
  friend bool operator==(const NetworkRanges&, const NetworkRanges&) = default;
};

struct ClusterNetwork {
  int apiServerPort = 0;
  NetworkRanges services, pods;
  std::string serviceDomain;

  static void describe(auto& v) {
    using S = ClusterNetwork;
    v.schema("minProperties", 1);
    int32(v.field("apiServerPort", &S::apiServerPort))
        .minimum(1)
        .maximum(65535)
        .doc("Port of the API servers; 6443 when absent.");
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
    v.schema("minProperties", 1);
    text(v.field("host", &APIEndpoint::host), 512).doc("Host name or IP address of the API server.");
    int32(v.field("port", &APIEndpoint::port)).minimum(1).maximum(65535).doc("TCP port of the API server.");
  }
  friend bool operator==(const APIEndpoint&, const APIEndpoint&) = default;
};

struct ClusterSpec {
  std::optional<bool> paused;
  ClusterNetwork clusterNetwork;
  APIEndpoint controlPlaneEndpoint;
  ContractReference controlPlaneRef, infrastructureRef;
  Topology topology;
  std::vector<ConditionGate> availabilityGates;

  static void describe(auto& v) {
    using S = ClusterSpec;
    v.doc("Desired state of the Cluster.").schema("minProperties", 1);
    v.field("paused", &S::paused).doc("Whether controllers leave the Cluster and what belongs to it as it is.");
    v.field("clusterNetwork", &S::clusterNetwork).doc("Network of the Cluster.");
    v.field("controlPlaneEndpoint", &S::controlPlaneEndpoint).doc("Endpoint of the control plane: host and port.");
    v.field("controlPlaneRef", &S::controlPlaneRef).doc("Object that provides the control plane.");
    v.field("infrastructureRef", &S::infrastructureRef).doc("Object that provides the infrastructure.");
    v.field("topology", &S::topology).doc("What is made from a ClusterClass.");
    gates(v.field("availabilityGates", &S::availabilityGates)).minItems(1);
  }
  friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

struct FailureDomain {
  std::string name;
  std::optional<bool> controlPlane;
  std::map<std::string, std::string> attributes;

  static void describe(auto& v) {
    using S = FailureDomain;
    text(v.field("name", &S::name), 256).requiredButOmitted().doc("Name of the failure domain.");
    v.field("controlPlane", &S::controlPlane).doc("Whether it is suitable for control plane machines.");
    v.field("attributes", &S::attributes).doc("Further attributes of the failure domain.");
  }
  friend bool operator==(const FailureDomain&, const FailureDomain&) = default;
};

struct ClusterInitialization {
  std::optional<bool> infrastructureProvisioned, controlPlaneInitialized;

  static void describe(auto& v) {
    using S = ClusterInitialization;
    v.schema("minProperties", 1);
    v.field("infrastructureProvisioned", &S::infrastructureProvisioned)
        .doc("True once the infrastructure is provisioned; never reset.");
    v.field("controlPlaneInitialized", &S::controlPlaneInitialized)
        .doc("True once the control plane answers; never reset.");
  }
  friend bool operator==(const ClusterInitialization&, const ClusterInitialization&) = default;
};

struct ClusterStatus {
  std::vector<kube::Condition> conditions;
  ClusterInitialization initialization;
  std::optional<ReplicaStatus> controlPlane, workers;
  std::vector<FailureDomain> failureDomains;
  std::string phase;
  std::int64_t observedGeneration = 0;
  std::optional<Deprecated> deprecated;

  static void describe(auto& v) {
    using S = ClusterStatus;
    v.doc("Observed state of the Cluster.").schema("minProperties", 1);
    newConditions(v.field("conditions", &S::conditions));
    v.field("initialization", &S::initialization).doc("What has been reached for the first time.");
    v.field("controlPlane", &S::controlPlane).doc("Counts of control plane machines.");
    v.field("workers", &S::workers).doc("Counts of workers.");
    v.field("failureDomains", &S::failureDomains)
        .listMap({"name"})
        .minItems(1)
        .maxItems(100)
        .doc("Failure domains that the infrastructure offers.");
    clusterPhase(v.field("phase", &S::phase));
    v.field("observedGeneration", &S::observedGeneration)
        .format("int64")
        .minimum(1)
        .doc("Generation of the spec that the status is of.");
    v.field("deprecated", &S::deprecated).doc("Fields of older API versions that this one no longer uses.");
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
    v.field("spec", &Cluster::spec).requiredButOmitted();
    v.field("status", &Cluster::status);
  }
  friend bool operator==(const Cluster&, const Cluster&) = default;
};

}  // namespace ingot::api::capi::v1beta2

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capi::v1beta2::Cluster>();
