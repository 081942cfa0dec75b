// The image to deploy and how to check it (spec/baremetalhost.md §2.1).
#pragma once

#include "json/describe.hpp"

namespace ingot::api {

struct Image {
  std::string url, checksum, checksumType, format, ociAuthSecretName;

  [[nodiscard]] bool isLiveIso() const { return format == "live-iso"; }
  [[nodiscard]] bool isOci() const;  // the URL starts with oci://, in any case of letters

  static void describe(auto& v) {
    v.doc("An image to write to the root disk, or to boot from.");
    v.field("checksum", &Image::checksum)
        .doc("Checksum of the image, or the URL of a file with checksums. Empty for oci:// and live-iso.");
    v.field("checksumType", &Image::checksumType)
        .oneOf({"md5", "sha256", "sha512", "auto"})
        .doc("Algorithm of the checksum; auto, or none given, means it is recognised by its length.");
    v.field("format", &Image::format)
        .oneOf({"raw", "qcow2", "vdi", "vmdk", "live-iso"})
        .doc("Format of the image; live-iso is booted, not written.");
    v.field("ociAuthSecretName", &Image::ociAuthSecretName)
        .doc("Secret of type kubernetes.io/dockerconfigjson in the host's namespace, for oci:// images.");
    v.field("url", &Image::url).required().doc("URL of the image.");
  }
  friend bool operator==(const Image&, const Image&) = default;
};

// What Ironic is told about an image's checksum; both empty when there is none to check or Ironic finds the type.
struct ImageChecksum {
  std::string value, type;
  std::string error;  // not empty: the image cannot be used, and why
};
[[nodiscard]] ImageChecksum resolveChecksum(const std::optional<Image>& image);

}  // namespace ingot::api
