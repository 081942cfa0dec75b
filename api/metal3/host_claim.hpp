// HostClaim and HostDeployPolicy, metal3.io/v1alpha1: hosts for users of other namespaces.
#pragma once

#include "api/bmh/image.hpp"
#include "api/bmh/references.hpp"
#include "api/bmh/spec.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api {

struct HostClaimRequirement {
  std::string key, operator_;
  std::vector<std::string> values;

  static void describe(auto& v) {
    v.field("key", &HostClaimRequirement::key).required().doc("Key of the host's label.");
    v.field("operator", &HostClaimRequirement::operator_)
        .required()
        .doc("Operator: in, notin, exists, !, =, == or !=.");
    v.field("values", &HostClaimRequirement::values)
        .required()
        .doc("Values that the operator compares the label with.");
  }
  friend bool operator==(const HostClaimRequirement&, const HostClaimRequirement&) = default;
};

struct HostClaimSelector {
  std::string inNamespace;
  std::map<std::string, std::string> matchLabels;
  std::vector<HostClaimRequirement> matchExpressions;

  static void describe(auto& v) {
    v.field("inNamespace", &HostClaimSelector::inNamespace).doc("Namespace of the host.");
    v.field("matchLabels", &HostClaimSelector::matchLabels).doc("Labels with these values; all must match.");
    v.field("matchExpressions", &HostClaimSelector::matchExpressions)
        .doc("Requirements on the host's labels; all must hold.");
  }
  friend bool operator==(const HostClaimSelector&, const HostClaimSelector&) = default;
};

struct HostClaimSpec {
  std::optional<ObjectReference> consumerRef;
  std::optional<CustomDeploy> customDeploy;
  std::string failureDomain;
  HostClaimSelector hostSelector;
  std::optional<Image> image;
  std::optional<SecretReference> metaData, networkData, userData;
  bool poweredOn = false;

  static void describe(auto& v) {
    using S = HostClaimSpec;
    v.doc("Desired state of the claimed host.");
    v.field("consumerRef", &S::consumerRef).mapType("atomic").doc("Object that uses the host.");
    v.field("customDeploy", &S::customDeploy).doc("Deploy with a custom step instead of writing an image.");
    v.field("failureDomain", &S::failureDomain).doc("Failure domain that the host should be in.");
    v.field("hostSelector", &S::hostSelector).doc("Labels that a host must have to be chosen.");
    v.field("image", &S::image).doc("Image to provision the host with.");
    v.field("metaData", &S::metaData).doc("Secret with meta data.");
    v.field("networkData", &S::networkData).doc("Secret with network data.");
    v.field("poweredOn", &S::poweredOn).required().doc("Whether the host should be powered on.");
    v.field("userData", &S::userData).doc("Secret with user data.");
  }
  friend bool operator==(const HostClaimSpec&, const HostClaimSpec&) = default;
};

struct ClaimedObject {
  std::string name, namespace_;

  static void describe(auto& v) {
    v.field("name", &ClaimedObject::name).required().doc("Name of the object.");
    v.field("namespace", &ClaimedObject::namespace_).required().doc("Namespace of the object.");
  }
  friend bool operator==(const ClaimedObject&, const ClaimedObject&) = default;
};

struct HostClaimStatus {
  std::optional<ClaimedObject> bareMetalHost, hardwareData;
  std::vector<kube::Condition> conditions;
  std::optional<base::WallTime> lastUpdated;
  bool poweredOn = false;

  static void describe(auto& v) {
    using S = HostClaimStatus;
    v.doc("Observed state of the claim.");
    v.field("bareMetalHost", &S::bareMetalHost).doc("The host.");
    v.field("conditions", &S::conditions).doc("Conditions, one of each type.");
    v.field("hardwareData", &S::hardwareData).doc("Hardware of the claimed host.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("poweredOn", &S::poweredOn).doc("Whether the host is on, as last observed.");
  }
  friend bool operator==(const HostClaimStatus&, const HostClaimStatus&) = default;
};

struct HostClaim {
  kube::ObjectMeta metadata;
  HostClaimSpec spec;
  HostClaimStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Asks for a host of another namespace.");
    v.field("metadata", &HostClaim::metadata);
    v.field("spec", &HostClaim::spec);
    v.field("status", &HostClaim::status);
  }
  friend bool operator==(const HostClaim&, const HostClaim&) = default;
};

struct NamespaceLabel {
  std::string name, value;

  static void describe(auto& v) {
    v.field("name", &NamespaceLabel::name).required().doc("Label of the namespace.");
    v.field("value", &NamespaceLabel::value).doc("Value of the label; empty matches any.");
  }
  friend bool operator==(const NamespaceLabel&, const NamespaceLabel&) = default;
};

struct ClaimNamespaces {
  std::vector<NamespaceLabel> hasLabels;
  std::string nameMatches;
  std::vector<std::string> names;

  static void describe(auto& v) {
    v.field("hasLabels", &ClaimNamespaces::hasLabels).doc("Namespaces with these labels.");
    v.field("nameMatches", &ClaimNamespaces::nameMatches).doc("Namespaces whose name matches.");
    v.field("names", &ClaimNamespaces::names).doc("Namespaces by name.");
  }
  friend bool operator==(const ClaimNamespaces&, const ClaimNamespaces&) = default;
};

struct HostDeployPolicySpec {
  std::optional<ClaimNamespaces> hostClaimNamespaces;

  static void describe(auto& v) {
    v.doc("Namespaces whose HostClaims may claim hosts of this namespace.");
    v.field("hostClaimNamespaces", &HostDeployPolicySpec::hostClaimNamespaces)
        .doc("Namespaces whose HostClaims may take hosts of this namespace.");
  }
  friend bool operator==(const HostDeployPolicySpec&, const HostDeployPolicySpec&) = default;
};

// Nothing is ever written there.
struct NoStatus {
  static void describe(auto& v) { v.doc("Empty."); }
  friend bool operator==(const NoStatus&, const NoStatus&) = default;
};

struct HostDeployPolicy {
  kube::ObjectMeta metadata;
  HostDeployPolicySpec spec;
  NoStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Policy for HostClaims on hosts of this namespace.");
    v.field("metadata", &HostDeployPolicy::metadata);
    v.field("spec", &HostDeployPolicy::spec);
    v.field("status", &HostDeployPolicy::status);
  }
  friend bool operator==(const HostDeployPolicy&, const HostDeployPolicy&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostClaim>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostDeployPolicy>();
