// Parts of spec.topology that the control plane and the workers share.
#pragma once

#include "api/capi/v1beta2/references.hpp"

namespace ingot::api::capi::v1beta2 {

struct TopologyMetadata {
  std::map<std::string, std::string> labels, annotations;

  static void describe(auto& v) {
    v.schema("minProperties", 1);
    v.field("labels", &TopologyMetadata::labels).doc("Labels of the objects that are made.");
    v.field("annotations", &TopologyMetadata::annotations).doc("Annotations of the objects that are made.");
  }
  friend bool operator==(const TopologyMetadata&, const TopologyMetadata&) = default;
};

// A value, of any type, for a variable of the ClusterClass.
struct TopologyVariable {
  std::string name;
  json::Value value;

  static void describe(auto& v) {
    text(v.field("name", &TopologyVariable::name), 256).requiredButOmitted().doc("Name of the variable.");
    v.field("value", &TopologyVariable::value).required().doc("Value of the variable.");
  }
  friend bool operator==(const TopologyVariable& a, const TopologyVariable& b) {
    return a.name == b.name && json::equal(a.value, b.value);
  }
};

inline json::FieldOptions& variables(json::FieldOptions&& field) {
  return field.listMap({"name"}).minItems(1).maxItems(1000).doc("Values for variables of the ClusterClass.");
}

struct VariableOverrides {
  std::vector<TopologyVariable> overrides;

  static void describe(auto& v) {
    v.schema("minProperties", 1);
    variables(v.field("overrides", &VariableOverrides::overrides));
  }
  friend bool operator==(const VariableOverrides&, const VariableOverrides&) = default;
};

struct WorkerDeletion : MachineDeletion {
  std::string order;

  static void describe(auto& v) {
    MachineDeletion::describe(v);
    v.field("order", &WorkerDeletion::order)
        .oneOf({"Random", "Newest", "Oldest"})
        .doc("Which machines go first when there are too many.");
  }
  friend bool operator==(const WorkerDeletion&, const WorkerDeletion&) = default;
};

struct RollingUpdate {
  std::optional<json::IntOrString> maxUnavailable, maxSurge;

  static void describe(auto& v) {
    v.schema("minProperties", 1);
    v.field("maxUnavailable", &RollingUpdate::maxUnavailable)
        .doc("How many machines may be missing meanwhile: a number or a percentage.");
    v.field("maxSurge", &RollingUpdate::maxSurge)
        .doc("How many machines more than wanted there may be meanwhile: a number or a percentage.");
  }
  friend bool operator==(const RollingUpdate&, const RollingUpdate&) = default;
};

struct RolloutStrategy {
  std::string type;
  RollingUpdate rollingUpdate;

  static void describe(auto& v) {
    v.schema("minProperties", 1);
    v.field("type", &RolloutStrategy::type)
        .requiredButOmitted()
        .oneOf({"RollingUpdate", "OnDelete"})
        .doc("Whether machines are replaced at once or when somebody deletes them.");
    v.field("rollingUpdate", &RolloutStrategy::rollingUpdate).doc("Limits of a rolling update.");
  }
  friend bool operator==(const RolloutStrategy&, const RolloutStrategy&) = default;
};

struct WorkerRollout : RolloutAfter {
  RolloutStrategy strategy;

  static void describe(auto& v) {
    RolloutAfter::describe(v);
    v.field("strategy", &WorkerRollout::strategy).doc("How machines are replaced.");
  }
  friend bool operator==(const WorkerRollout&, const WorkerRollout&) = default;
};

}  // namespace ingot::api::capi::v1beta2
