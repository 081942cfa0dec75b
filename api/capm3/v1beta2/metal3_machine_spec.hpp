// What a Metal3Machine and a Metal3MachineTemplate ask for (spec/capm3.md §3.3).
#pragma once

#include "api/capm3/v1beta2/references.hpp"

namespace ingot::api::capm3::v1beta2 {

struct Image {
  std::string url;
  std::optional<std::string> checksum;
  std::string checksumType, diskFormat;

  static void describe(auto& v) {
    text(v.field("url", &Image::url)).requiredButOmitted().format("uri").doc("Where the image is.");
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
    text(v.field("key", &S::key)).requiredButOmitted().doc("Label of the host.");
    v.field("operator", &S::operator_)
        .requiredButOmitted()
        .doc("How the label is compared: in, notin, exists, =, !=, gt, lt.");
    v.field("values", &S::values)
        .requiredButOmitted()
        .listType("set")
        .maxItems(512)
        .itemSchema("minLength", 1)
        .itemSchema("maxLength", 512)
        .doc("What it is compared with.");
  }
  friend bool operator==(const HostSelectorRequirement&, const HostSelectorRequirement&) = default;
};

struct HostSelector {
  std::map<std::string, std::string> matchLabels;
  std::vector<HostSelectorRequirement> matchExpressions;

  static void describe(auto& v) {
    v.field("matchLabels", &HostSelector::matchLabels).doc("Labels that the host has.");
    listBy("key", v.field("matchExpressions", &HostSelector::matchExpressions)).doc("Requirements on its labels.");
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
    v.doc("What the machine asks of its host.");
    text(v.field("providerID", &S::providerID)).doc("metal3:// and the identity of the host, once it has one.");
    v.field("image", &S::image).doc("The image to run.");
    v.field("customDeploy", &S::customDeploy).doc("Deploy with a custom step instead of writing an image.");
    v.field("userData", &S::userData).doc("Secret with user data; the Machine's bootstrap data win.");
    v.field("hostSelector", &S::hostSelector).doc("Which hosts will do.");
    v.field("dataTemplate", &S::dataTemplate).doc("Template for meta data and network data.");
    v.field("metaData", &S::metaData).doc("Secret with meta data.");
    v.field("networkData", &S::networkData).doc("Secret with network data.");
    v.field("automatedCleaningMode", &S::automatedCleaningMode)
        .oneOf({"metadata", "disabled"})
        .doc("Whether the disks' metadata are removed when the host is prepared and deprovisioned.");
    v.field("failureDomain", &S::failureDomain).minLength(1).maxLength(256).doc("Taken over from the Machine.");
  }
  friend bool operator==(const Metal3MachineSpec&, const Metal3MachineSpec&) = default;
};

}  // namespace ingot::api::capm3::v1beta2
