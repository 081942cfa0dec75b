// What a Metal3Machine and a Metal3MachineTemplate ask for (spec/capm3.md §3.3).
#pragma once

#include "api/capm3/v1beta2/references.hpp"

namespace ingot::api::capm3::v1beta2 {

struct Image {
  std::string url;
  std::optional<std::string> checksum;
  std::string checksumType, diskFormat;

  static void describe(auto& v) {
    text(v.field("url", &Image::url)).requiredButOmitted().format("uri").doc("URL of the image.");
    v.field("checksum", &Image::checksum)
        .minLength(0)
        .maxLength(512)
        .doc("Checksum of the image, or the URL of a file with checksums.");
    v.field("checksumType", &Image::checksumType).oneOf({"md5", "sha256", "sha512"}).doc("Algorithm of the checksum.");
    v.field("diskFormat", &Image::diskFormat)
        .oneOf({"raw", "qcow2", "vdi", "vmdk", "live-iso"})
        .doc("Format of the image; live-iso is booted, not written.");
  }
  friend bool operator==(const Image&, const Image&) = default;
};

struct CustomDeploy {
  std::string method;

  static void describe(auto& v) {
    text(v.field("method", &CustomDeploy::method)).requiredButOmitted().doc("Deploy step that the ramdisk offers.");
  }
  friend bool operator==(const CustomDeploy&, const CustomDeploy&) = default;
};

struct HostSelectorRequirement {
  std::string key, operator_;
  std::vector<std::string> values;

  static void describe(auto& v) {
    using S = HostSelectorRequirement;
    text(v.field("key", &S::key)).requiredButOmitted().doc("Key of the host's label.");
    v.field("operator", &S::operator_).requiredButOmitted().doc("Operator: in, notin, exists, !, =, ==, !=, gt or lt.");
    v.field("values", &S::values)
        .requiredButOmitted()
        .listType("set")
        .maxItems(512)
        .itemSchema("minLength", 1)
        .itemSchema("maxLength", 512)
        .doc("Values that the operator compares the label with.");
  }
  friend bool operator==(const HostSelectorRequirement&, const HostSelectorRequirement&) = default;
};

struct HostSelector {
  std::map<std::string, std::string> matchLabels;
  std::vector<HostSelectorRequirement> matchExpressions;

  static void describe(auto& v) {
    v.field("matchLabels", &HostSelector::matchLabels).doc("Labels with these values; all must match.");
    listBy("key", v.field("matchExpressions", &HostSelector::matchExpressions))
        .doc("Requirements on the host's labels; all must hold.");
  }
  friend bool operator==(const HostSelector&, const HostSelector&) = default;
};

struct Metal3MachineSpec {
  std::string providerID;
  Image image;
  CustomDeploy customDeploy;
  std::optional<SecretReference> userData, metaData, networkData;
  std::optional<HostSelector> hostSelector;
  std::optional<ObjectRef> dataTemplate;
  std::string automatedCleaningMode, failureDomain;

  static void describe(auto& v) {
    using S = Metal3MachineSpec;
    v.doc("Desired state of the machine: image, data and host selection.");
    text(v.field("providerID", &S::providerID))
        .doc("Provider ID: metal3:// and the identity of the host; set once a host is provisioned.");
    v.field("image", &S::image).doc("Image to provision the host with.");
    v.field("customDeploy", &S::customDeploy).doc("Deploy with a custom step instead of writing an image.");
    v.field("userData", &S::userData).doc("Secret with user data; the Machine's bootstrap data win.");
    v.field("hostSelector", &S::hostSelector).doc("Labels that a host must have to be chosen.");
    v.field("dataTemplate", &S::dataTemplate).doc("Template for meta data and network data.");
    v.field("metaData", &S::metaData).doc("Secret with meta data.");
    v.field("networkData", &S::networkData).doc("Secret with network data.");
    v.field("automatedCleaningMode", &S::automatedCleaningMode)
        .oneOf({"metadata", "disabled"})
        .doc("Whether the disks' metadata are removed when the host is prepared and deprovisioned.");
    v.field("failureDomain", &S::failureDomain)
        .minLength(1)
        .maxLength(256)
        .doc("Failure domain, copied from the Machine.");
  }
  friend bool operator==(const Metal3MachineSpec&, const Metal3MachineSpec&) = default;
};

}  // namespace ingot::api::capm3::v1beta2
