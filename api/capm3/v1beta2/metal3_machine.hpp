// Metal3Machine, infrastructure.cluster.x-k8s.io/v1beta2 (spec/capm3.md §3.3).
#pragma once

#include "api/capi/machine_address.hpp"
#include "api/capm3/v1beta2/metal3_machine_spec.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta2 {

struct Metal3MachineLegacyStatus {
  std::vector<capi::LegacyCondition> conditions;
  std::optional<std::string> failureReason, failureMessage;

  static void describe(auto& v) {
    using S = Metal3MachineLegacyStatus;
    v.field("conditions", &S::conditions).doc("Conditions in the v1beta1 form of Cluster API.");
    v.field("failureReason", &S::failureReason)
        .doc("Machine-readable reason of a failure that cannot be recovered from.");
    v.field("failureMessage", &S::failureMessage).doc("Description of a failure that cannot be recovered from.");
  }
  friend bool operator==(const Metal3MachineLegacyStatus&, const Metal3MachineLegacyStatus&) = default;
};

struct Metal3MachineDeprecated {
  std::optional<Metal3MachineLegacyStatus> v1beta1;

  static void describe(auto& v) {
    v.field("v1beta1", &Metal3MachineDeprecated::v1beta1).doc("Fields of v1beta1 that v1beta2 no longer has.");
  }
  friend bool operator==(const Metal3MachineDeprecated&, const Metal3MachineDeprecated&) = default;
};

struct Metal3MachineStatus {
  std::vector<kube::Condition> conditions;
  std::optional<base::WallTime> lastUpdated;
  std::vector<capi::MachineAddress> addresses;
  Initialization initialization;
  std::optional<SecretReference> userData, metaData, networkData;
  std::optional<ObjectRef> renderedData;
  std::optional<Metal3MachineDeprecated> deprecated;

  static void describe(auto& v) {
    using S = Metal3MachineStatus;
    v.doc("Observed state of the machine.");
    v.field("conditions", &S::conditions).listMap({"type"}).maxItems(32).doc("Conditions, one of each type.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("addresses", &S::addresses).listType("atomic").minItems(1).maxItems(32).doc("Addresses of the node.");
    v.field("initialization", &S::initialization).doc("Initialization state that Cluster API waits for.");
    v.field("userData", &S::userData).doc("Secret with the user data in use.");
    v.field("metaData", &S::metaData).doc("Secret with the meta data in use.");
    v.field("networkData", &S::networkData).doc("Secret with the network data in use.");
    v.field("renderedData", &S::renderedData).doc("Reference to the Metal3Data rendered for the machine.");
    v.field("deprecated", &S::deprecated).doc("Fields of older API versions that this one no longer uses.");
  }
  friend bool operator==(const Metal3MachineStatus&, const Metal3MachineStatus&) = default;
};

struct Metal3Machine {
  kube::ObjectMeta metadata;
  Metal3MachineSpec spec;
  Metal3MachineStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("The machine of a Cluster API Machine: a BareMetalHost taken into service.");
    v.field("metadata", &Metal3Machine::metadata);
    v.field("spec", &Metal3Machine::spec).always();
    v.field("status", &Metal3Machine::status).always();
  }
  friend bool operator==(const Metal3Machine&, const Metal3Machine&) = default;
};

}  // namespace ingot::api::capm3::v1beta2

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3Machine>();
