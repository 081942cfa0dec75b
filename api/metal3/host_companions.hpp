// Small companions of a host, metal3.io/v1alpha1: DataImage, HostUpdatePolicy, BMCEventSubscription,
// PreprovisioningImage.
#pragma once

#include "api/bmh/references.hpp"
#include "api/metal3/host_claim.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api {

struct DataImageSpec {
  std::string url;

  static void describe(auto& v) {
    v.doc("The image.");
    v.field("url", &DataImageSpec::url).required().doc("URL of the image.");
  }
  friend bool operator==(const DataImageSpec&, const DataImageSpec&) = default;
};

struct AttachedImage {
  std::string url;

  static void describe(auto& v) { v.field("url", &AttachedImage::url).required().doc("URL of the image."); }
  friend bool operator==(const AttachedImage&, const AttachedImage&) = default;
};

struct DataImageError {
  std::int64_t count = 0;
  std::string message;

  static void describe(auto& v) {
    v.field("count", &DataImageError::count).required().doc("Number of failures in a row.");
    v.field("message", &DataImageError::message).required().doc("The last error.");
  }
  friend bool operator==(const DataImageError&, const DataImageError&) = default;
};

struct DataImageStatus {
  std::optional<AttachedImage> attachedImage;
  std::optional<DataImageError> error;
  std::optional<base::WallTime> lastReconciled;

  static void describe(auto& v) {
    using S = DataImageStatus;
    v.doc("Image that is attached to the host.");
    v.field("attachedImage", &S::attachedImage).doc("The image that is attached.");
    v.field("error", &S::error).doc("Error of the last attempt.");
    v.field("lastReconciled", &S::lastReconciled).doc("Time of the last reconcile.");
  }
  friend bool operator==(const DataImageStatus&, const DataImageStatus&) = default;
};

struct DataImage {
  kube::ObjectMeta metadata;
  DataImageSpec spec;
  DataImageStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("An image to attach to the BareMetalHost of the same name at its next reboot.");
    v.field("metadata", &DataImage::metadata);
    v.field("spec", &DataImage::spec);
    v.field("status", &DataImage::status);
  }
  friend bool operator==(const DataImage&, const DataImage&) = default;
};

struct HostUpdatePolicySpec {
  std::string firmwareSettings, firmwareUpdates;

  static void describe(auto& v) {
    using S = HostUpdatePolicySpec;
    v.doc("Times at which firmware and its settings may be changed.");
    v.field("firmwareSettings", &S::firmwareSettings)
        .oneOf({"onPreparing", "onReboot"})
        .doc("When firmware settings are applied: onPreparing or onReboot.");
    v.field("firmwareUpdates", &S::firmwareUpdates)
        .oneOf({"onPreparing", "onReboot"})
        .doc("When firmware is updated: onPreparing or onReboot.");
  }
  friend bool operator==(const HostUpdatePolicySpec&, const HostUpdatePolicySpec&) = default;
};

struct HostUpdatePolicy {
  kube::ObjectMeta metadata;
  HostUpdatePolicySpec spec;
  NoStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Policy for changes of the BareMetalHost of the same name while it is in use.");
    v.field("metadata", &HostUpdatePolicy::metadata);
    v.field("spec", &HostUpdatePolicy::spec);
    v.field("status", &HostUpdatePolicy::status);
  }
  friend bool operator==(const HostUpdatePolicy&, const HostUpdatePolicy&) = default;
};

struct BMCEventSubscriptionSpec {
  std::string hostName, destination, context;
  std::optional<SecretReference> httpHeadersRef;

  static void describe(auto& v) {
    using S = BMCEventSubscriptionSpec;
    v.doc("Events to subscribe to.");
    v.field("hostName", &S::hostName).doc("The BareMetalHost.");
    v.field("destination", &S::destination).doc("URL that the BMC sends events to.");
    v.field("context", &S::context).doc("Text that the BMC sends along.");
    v.field("httpHeadersRef", &S::httpHeadersRef).doc("Secret with HTTP headers that the BMC sends along.");
  }
  friend bool operator==(const BMCEventSubscriptionSpec&, const BMCEventSubscriptionSpec&) = default;
};

struct BMCEventSubscriptionStatus {
  std::string subscriptionID, error;

  static void describe(auto& v) {
    v.doc("Observed state.");
    v.field("subscriptionID", &BMCEventSubscriptionStatus::subscriptionID).doc("The backend's ID.");
    v.field("error", &BMCEventSubscriptionStatus::error).doc("Error of the last attempt.");
  }
  friend bool operator==(const BMCEventSubscriptionStatus&, const BMCEventSubscriptionStatus&) = default;
};

struct BMCEventSubscription {
  kube::ObjectMeta metadata;
  BMCEventSubscriptionSpec spec;
  BMCEventSubscriptionStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Has the BMC of a host send its events somewhere.");
    v.field("metadata", &BMCEventSubscription::metadata);
    v.field("spec", &BMCEventSubscription::spec);
    v.field("status", &BMCEventSubscription::status);
  }
  friend bool operator==(const BMCEventSubscription&, const BMCEventSubscription&) = default;
};

struct PreprovisioningImageSpec {
  std::string networkDataName, architecture;
  std::vector<std::string> acceptFormats;

  static void describe(auto& v) {
    using S = PreprovisioningImageSpec;
    v.doc("Requirements on the ramdisk image.");
    v.field("networkDataName", &S::networkDataName).doc("Secret with network data to build in.");
    v.field("architecture", &S::architecture).doc("CPU architecture of the host.");
    v.field("acceptFormats", &S::acceptFormats)
        .itemSchema("enum", json::Array{"iso", "initrd"})
        .doc("Formats that the host can boot, best first.");
  }
  friend bool operator==(const PreprovisioningImageSpec&, const PreprovisioningImageSpec&) = default;
};

struct SecretStatus {
  std::string name, version;

  static void describe(auto& v) {
    v.field("name", &SecretStatus::name).doc("Name of the Secret.");
    v.field("version", &SecretStatus::version).doc("resourceVersion of the Secret.");
  }
  friend bool operator==(const SecretStatus&, const SecretStatus&) = default;
};

struct PreprovisioningImageStatus {
  std::string imageUrl, kernelUrl, extraKernelParams, format, architecture;
  SecretStatus networkData;
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) {
    using S = PreprovisioningImageStatus;
    v.doc("The ramdisk that was built.");
    v.field("imageUrl", &S::imageUrl).doc("URL of the image.");
    v.field("kernelUrl", &S::kernelUrl).doc("URL of the kernel that belongs to an initrd.");
    v.field("extraKernelParams", &S::extraKernelParams).doc("More parameters for its kernel.");
    v.field("format", &S::format).oneOf({"iso", "initrd"}).doc("Format of the image.");
    v.field("networkData", &S::networkData).doc("The network data that is built in.");
    v.field("architecture", &S::architecture).doc("CPU architecture of the image.");
    v.field("conditions", &S::conditions).listMap({"type"}).doc("Conditions, one of each type.");
  }
  friend bool operator==(const PreprovisioningImageStatus&, const PreprovisioningImageStatus&) = default;
};

struct PreprovisioningImage {
  kube::ObjectMeta metadata;
  PreprovisioningImageSpec spec;
  PreprovisioningImageStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A ramdisk for the BareMetalHost of the same name.");
    v.field("metadata", &PreprovisioningImage::metadata);
    v.field("spec", &PreprovisioningImage::spec);
    v.field("status", &PreprovisioningImage::status);
  }
  friend bool operator==(const PreprovisioningImage&, const PreprovisioningImage&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::DataImage>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostUpdatePolicy>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BMCEventSubscription>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::PreprovisioningImage>();
