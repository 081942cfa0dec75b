// What is true of a host (spec/baremetalhost.md §2.1.1).
#pragma once

#include "api/bmh/spec.hpp"
#include "kube/core/condition.hpp"

namespace ingot::api {

// The words of status.operationalStatus.
namespace operational_status {
inline constexpr std::string_view none, ok = "OK", discovered = "discovered", error = "error", delayed = "delayed",
                                        detached = "detached", servicing = "servicing";
}

// The words of status.errorType. "detach error" is not in the CRD's enum (spec/baremetalhost.md §17 item 1), so it is
// never written.
namespace error_type {
inline constexpr std::string_view none,
    provisionedRegistration = "provisioned registration error", registration = "registration error",
    inspection = "inspection error", preparation = "preparation error", provisioning = "provisioning error",
    powerManagement = "power management error", servicing = "servicing error", detach = "detach error";
}

struct OperationMetric {
  std::optional<base::WallTime> start, end;

  static void describe(auto& v) {
    v.field("end", &OperationMetric::end).nullable();
    v.field("start", &OperationMetric::start).nullable();
  }
  friend bool operator==(const OperationMetric&, const OperationMetric&) = default;
};

struct OperationHistory {
  OperationMetric register_, inspect, provision, deprovision;

  static void describe(auto& v) {
    v.field("deprovision", &OperationHistory::deprovision).doc("Start and end of the last deprovisioning.");
    v.field("inspect", &OperationHistory::inspect).doc("Start and end of the last inspection.");
    v.field("provision", &OperationHistory::provision).doc("Start and end of the last provisioning.");
    v.field("register", &OperationHistory::register_).doc("Start and end of the last registration.");
  }
  friend bool operator==(const OperationHistory&, const OperationHistory&) = default;
};

// Which state of which Secret was used: `credentialsVersion` is the Secret's resourceVersion.
struct CredentialsStatus {
  std::optional<SecretReference> credentials;
  std::string credentialsVersion;

  [[nodiscard]] bool matches(std::string_view secretNamespace, std::string_view secretName,
                             std::string_view resourceVersion) const;

  static void describe(auto& v) {
    v.field("credentials", &CredentialsStatus::credentials).doc("Secret with the credentials.");
    v.field("credentialsVersion", &CredentialsStatus::credentialsVersion).doc("resourceVersion of the Secret.");
  }
  friend bool operator==(const CredentialsStatus&, const CredentialsStatus&) = default;
};

struct ProvisionStatus {
  std::string ID;  // Ironic's node UUID
  std::string state;
  std::string bootMode;
  std::optional<CustomDeploy> customDeploy;
  std::optional<FirmwareConfig> firmware;
  Image image;  // by value: {"url": ""} while nothing is deployed
  std::optional<RaidConfig> raid;
  json::Boxed<RootDeviceHints> rootDeviceHints;

  static void describe(auto& v) {
    using S = ProvisionStatus;
    v.field("ID", &S::ID).required().doc("The backend's ID of the host.");
    v.field("bootMode", &S::bootMode).oneOf({"UEFI", "UEFISecureBoot", "legacy"}).doc("Boot mode that was set.");
    v.field("customDeploy", &S::customDeploy).doc("Custom deploy that was done.");
    v.field("firmware", &S::firmware).doc("No longer used.");
    v.field("image", &S::image).always().doc("The image that was deployed last.");
    v.field("raid", &S::raid).doc("RAID volumes that were made.");
    v.field("rootDeviceHints", &S::rootDeviceHints).doc("Hints that were used to find the root disk.");
    v.field("state", &S::state).required().doc("Provisioning state of the host.");
  }
  friend bool operator==(const ProvisionStatus&, const ProvisionStatus&) = default;
};

struct BareMetalHostStatus {
  std::vector<kube::Condition> conditions;
  int errorCount = 0;
  std::string errorMessage;
  std::string errorType;
  CredentialsStatus goodCredentials, triedCredentials;
  std::optional<HardwareDetails> hardware;
  std::string hardwareProfile;
  json::Boxed<Image> lastAttemptedImage;
  std::optional<base::WallTime> lastUpdated;  // absent: the status was never saved
  OperationHistory operationHistory;
  std::string operationalStatus;
  bool poweredOn = false;
  ProvisionStatus provisioning;
  int provisioningFailCount = 0;

  static void describe(auto& v) {
    using S = BareMetalHostStatus;
    v.doc("The observed state of a host.");
    v.field("conditions", &S::conditions).listMap({"type"}).maxItems(32).doc("Conditions, one of each type.");
    v.field("errorCount", &S::errorCount).required().defaultTo(0).doc("Number of failures in a row.");
    v.field("errorMessage", &S::errorMessage).required().doc("The last error; empty when there is none.");
    v.field("errorType", &S::errorType)
        .oneOf({"provisioned registration error", "registration error", "inspection error", "preparation error",
                "provisioning error", "power management error", "servicing error"})
        .doc("Message of the last error; empty when there is none.");
    v.field("goodCredentials", &S::goodCredentials).doc("The last credentials that worked.");
    v.field("hardware", &S::hardware).doc("Deprecated copy of the host's HardwareData.");
    v.field("hardwareProfile", &S::hardwareProfile).doc("Deprecated: the matched profile.");
    v.field("lastAttemptedImage", &S::lastAttemptedImage).doc("The image of the last attempt to provision.");
    v.field("lastUpdated", &S::lastUpdated).doc("Time of the last update of the status.");
    v.field("operationHistory", &S::operationHistory).doc("Start and end times of the last operations.");
    v.field("operationalStatus", &S::operationalStatus)
        .required()
        .oneOf({"", "OK", "discovered", "error", "delayed", "detached", "servicing"})
        .doc("Operational status: OK, discovered, error, delayed, detached or servicing.");
    v.field("poweredOn", &S::poweredOn).required().doc("Whether the host is on, as last observed.");
    v.field("provisioning", &S::provisioning).required().doc("State of provisioning: what has been done to the host.");
    v.field("provisioningFailCount", &S::provisioningFailCount)
        .required()
        .defaultTo(0)
        .doc("Number of failed attempts in a row to provision the current image.");
    v.field("triedCredentials", &S::triedCredentials).doc("The last credentials sent to the backend.");
  }
  friend bool operator==(const BareMetalHostStatus&, const BareMetalHostStatus&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BareMetalHostStatus>();
