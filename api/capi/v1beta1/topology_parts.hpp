// Parts of spec.topology that the control plane and the workers of v1beta1 share.
#pragma once

#include "api/capi/v1beta1/references.hpp"

namespace ingot::api::capi::v1beta1 {

struct TopologyMetadata {
  std::map<std::string, std::string> labels, annotations;

  static void describe(auto& v) {
    v.field("labels", &TopologyMetadata::labels).doc("Labels of the objects that are made.");
    v.field("annotations", &TopologyMetadata::annotations).doc("Annotations of the objects that are made.");
  }
  friend bool operator==(const TopologyMetadata&, const TopologyMetadata&) = default;
};

// A value, of any type, for a variable of the ClusterClass.
struct TopologyVariable {
  std::string name, definitionFrom;
  json::Value value;

  static void describe(auto& v) {
    using S = TopologyVariable;
    text(v.field("name", &S::name), 256).required().doc("Name of the variable.");
    v.field("definitionFrom", &S::definitionFrom).maxLength(256).doc("No longer used.");
    v.field("value", &S::value).required().doc("Value of the variable.");
  }
  friend bool operator==(const TopologyVariable& a, const TopologyVariable& b) {
    return a.name == b.name && a.definitionFrom == b.definitionFrom && json::equal(a.value, b.value);
  }
};

inline json::FieldOptions& variables(json::FieldOptions&& field) {
  return field.listMap({"name"}).maxItems(1000).doc("Values for variables of the ClusterClass.");
}

struct VariableOverrides {
  std::vector<TopologyVariable> overrides;

  static void describe(auto& v) { variables(v.field("overrides", &VariableOverrides::overrides)); }
  friend bool operator==(const VariableOverrides&, const VariableOverrides&) = default;
};

struct RollingUpdate {
  std::optional<json::IntOrString> maxUnavailable, maxSurge;
  std::optional<std::string> deletePolicy;

  static void describe(auto& v) {
    using S = RollingUpdate;
    v.field("maxUnavailable", &S::maxUnavailable)
        .doc("How many machines may be missing meanwhile: a number or a percentage.");
    v.field("maxSurge", &S::maxSurge)
        .doc("How many machines more than wanted there may be meanwhile: a number or a percentage.");
    v.field("deletePolicy", &S::deletePolicy)
        .oneOf({"Random", "Newest", "Oldest"})
        .doc("Which machines go first when there are too many.");
  }
  friend bool operator==(const RollingUpdate&, const RollingUpdate&) = default;
};

struct StrategyRemediation {
  std::optional<json::IntOrString> maxInFlight;

  static void describe(auto& v) {
    v.field("maxInFlight", &StrategyRemediation::maxInFlight)
        .doc("How many machines are remediated at the same time: a number or a percentage.");
  }
  friend bool operator==(const StrategyRemediation&, const StrategyRemediation&) = default;
};

struct Strategy {
  std::string type;
  std::optional<RollingUpdate> rollingUpdate;
  std::optional<StrategyRemediation> remediation;

  static void describe(auto& v) {
    v.field("type", &Strategy::type)
        .oneOf({"RollingUpdate", "OnDelete"})
        .doc("Whether machines are replaced at once or when somebody deletes them.");
    v.field("rollingUpdate", &Strategy::rollingUpdate).doc("Limits of a rolling update.");
    v.field("remediation", &Strategy::remediation).doc("Limits of the remediation.");
  }
  friend bool operator==(const Strategy&, const Strategy&) = default;
};

}  // namespace ingot::api::capi::v1beta1
