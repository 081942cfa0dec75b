// What a Metal3Machine and a Metal3MachineTemplate ask for (spec/capm3.md §3.3).
#pragma once

#include "api/capm3/v1beta1/references.hpp"

namespace ingot::api::capm3::v1beta1 {

struct Image {
  std::string url, checksum;
  std::optional<std::string> checksumType, format;

  static void describe(auto& v) {
    v.field("url", &Image::url).required().doc("URL of the image.");
    v.field("checksum", &Image::checksum).doc("Checksum of the image, or the URL of a file with checksums.");
    v.field("checksumType", &Image::checksumType).oneOf({"md5", "sha256", "sha512"}).doc("Algorithm of the checksum.");
    v.field("format", &Image::format)
        .oneOf({"raw", "qcow2", "vdi", "vmdk", "live-iso"})
        .doc("Format of the image; live-iso is booted, not written.");
  }
  friend bool operator==(const Image&, const Image&) = default;
};

struct CustomDeploy {
  std::string method;

  static void describe(auto& v) {
    v.field("method", &CustomDeploy::method).required().doc("Deploy step that the ramdisk offers.");
  }
  friend bool operator==(const CustomDeploy&, const CustomDeploy&) = default;
};

struct HostSelectorRequirement {
  std::string key, operator_;
  std::optional<std::vector<std::string>> values;

  static void describe(auto& v) {
    using S = HostSelectorRequirement;
    v.field("key", &S::key).required().doc("Key of the host's label.");
    v.field("operator", &S::operator_).required().doc("Operator: in, notin, exists, !, =, ==, !=, gt or lt.");
    v.field("values", &S::values).required().doc("Values that the operator compares the label with.");
  }
  friend bool operator==(const HostSelectorRequirement&, const HostSelectorRequirement&) = default;
};

struct HostSelector {
  std::map<std::string, std::string> matchLabels;
  std::vector<HostSelectorRequirement> matchExpressions;

  static void describe(auto& v) {
    v.field("matchLabels", &HostSelector::matchLabels).doc("Labels with these values; all must match.");
    v.field("matchExpressions", &HostSelector::matchExpressions)
        .doc("Requirements on the host's labels; all must hold.");
  }
  friend bool operator==(const HostSelector&, const HostSelector&) = default;
};

struct Metal3MachineSpec {
  std::optional<std::string> providerID;
  Image image;
  std::optional<CustomDeploy> customDeploy;
  std::optional<SecretReference> userData, metaData, networkData;
  HostSelector hostSelector;
  std::optional<kube::ObjectReference> dataTemplate;
  std::optional<std::string> automatedCleaningMode;
  std::string failureDomain;

  static void describe(auto& v) {
    using S = Metal3MachineSpec;
    v.doc("Desired state of the machine: image, data and host selection.");
    v.field("providerID", &S::providerID)
        .doc("Provider ID: metal3:// and the identity of the host; set once a host is provisioned.");
    v.field("image", &S::image).always().doc("Image to provision the host with.");
    v.field("customDeploy", &S::customDeploy).doc("Deploy with a custom step instead of writing an image.");
    v.field("userData", &S::userData).doc("Secret with user data; the Machine's bootstrap data win.");
    v.field("hostSelector", &S::hostSelector).always().doc("Labels that a host must have to be chosen.");
    v.field("dataTemplate", &S::dataTemplate).mapType("atomic").doc("Template for meta data and network data.");
    v.field("metaData", &S::metaData).doc("Secret with meta data.");
    v.field("networkData", &S::networkData).doc("Secret with network data.");
    v.field("automatedCleaningMode", &S::automatedCleaningMode)
        .oneOf({"metadata", "disabled"})
        .doc("Whether the disks' metadata are removed when the host is prepared and deprovisioned.");
    v.field("failureDomain", &S::failureDomain).doc("Failure domain, copied from the Machine.");
  }
  friend bool operator==(const Metal3MachineSpec&, const Metal3MachineSpec&) = default;
};

}  // namespace ingot::api::capm3::v1beta1
