#include "api/bmh/image.hpp"

namespace ingot::api {

bool Image::isOci() const {
  constexpr std::string_view kScheme = "oci://";
  return url.size() >= kScheme.size() && std::equal(kScheme.begin(), kScheme.end(), url.begin(), [](char want, char c) {
           return want == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

// The order of the questions is upstream's: OCI before live-iso.
ImageChecksum resolveChecksum(const std::optional<Image>& image) {
  if (!image) return {.error = "image is not provided"};
  if (image->isOci()) {
    if (image->checksum.empty()) return {};
    return {.error = "spec.image.checksum must be empty for OCI images (oci:// images have embedded checksums)"};
  }
  if (image->isLiveIso()) return {};
  if (image->checksum.empty()) return {.error = "checksum is required for normal images"};
  const std::string& type = image->checksumType;
  if (type == "md5" || type == "sha256" || type == "sha512") return {.value = image->checksum, .type = type};
  if (type.empty() || type == "auto") return {.value = image->checksum};
  return {.error = "unknown checksumType " + type + ", supported are auto, md5, sha256, sha512"};
}

}  // namespace ingot::api
