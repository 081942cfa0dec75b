// Metal3Machine, infrastructure.cluster.x-k8s.io/v1beta1 (spec/capm3.md §3.3).
#pragma once

#include "api/capm3/v1beta1/metal3_machine_spec.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::api::capm3::v1beta1 {

struct MachineAddress {
  std::string type, address;

  static void describe(auto& v) {
    v.field("type", &MachineAddress::type)
        .required()
        .oneOf({"Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"})
        .doc("Type of the address: Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.");
    v.field("address", &MachineAddress::address)
        .required()
        .minLength(1)
        .maxLength(256)
        .doc("IP address, host name or DNS name, as the type says.");
  }
  friend bool operator==(const MachineAddress&, const MachineAddress&) = default;
};

struct Metal3MachineStatus {
  std::optional<base::WallTime> lastUpdated;
  std::optional<std::string> failureReason, failureMessage;
  std::vector<MachineAddress> addresses;
  std::string phase;  // never written
  bool ready = false;
  std::optional<SecretReference> userData, metaData, networkData;
  std::optional<kube::ObjectReference> renderedData;
  std::vector<capi::LegacyCondition> conditions;
  std::optional<NewerStatus> v1beta2;

  static void describe(auto& v) {
    using S = Metal3MachineStatus;
    v.doc("Observed state of the machine.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("failureReason", &S::failureReason)
        .doc("Machine-readable reason of a failure that cannot be recovered from.");
    v.field("failureMessage", &S::failureMessage).doc("Description of a failure that cannot be recovered from.");
    v.field("addresses", &S::addresses).doc("Addresses of the node.");
    v.field("phase", &S::phase).doc("Not used.");
    v.field("ready", &S::ready).always().doc("True once the infrastructure is provisioned.");
    v.field("userData", &S::userData).doc("Secret with the user data in use.");
    v.field("metaData", &S::metaData).doc("Secret with the meta data in use.");
    v.field("networkData", &S::networkData).doc("Secret with the network data in use.");
    v.field("renderedData", &S::renderedData)
        .mapType("atomic")
        .doc("Reference to the Metal3Data rendered for the machine.");
    v.field("conditions", &S::conditions).doc("Conditions in the v1beta1 form of Cluster API.");
    v.field("v1beta2", &S::v1beta2).doc("Status in the form of the next API version.");
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

}  // namespace ingot::api::capm3::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3Machine>();
