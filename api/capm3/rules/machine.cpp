#include "api/capm3/admission.hpp"
#include "api/request_uri.hpp"

#include <algorithm>

namespace ingot::api::capm3 {

namespace {

bool isOci(std::string_view url) {
  constexpr std::string_view scheme = "oci://";
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return url.size() >= scheme.size() && std::ranges::equal(url.substr(0, scheme.size()), scheme, {}, lower);
}

void checkUrl(const std::string& field, const std::string& url, FieldErrors& errors) {
  if (url.empty()) {
    errors.required(field, "cannot be empty");
  } else if (!requestUriProblem(url).empty()) {
    errors.invalid(field, url, "not a valid URL");
  }
}

void checkOciImage(const std::string& field, const v1beta2::Image& image, FieldErrors& errors) {
  constexpr std::string_view problem = "must be empty for OCI images";
  if (!image.checksum.value_or("").empty()) errors.forbidden(field + ".Checksum", problem);
  if (!image.checksumType.empty()) errors.forbidden(field + ".ChecksumType", problem);
}

void checkChecksum(const std::string& field, const v1beta2::Image& image, FieldErrors& errors) {
  if (image.diskFormat == "live-iso") return;
  const std::string checksum = image.checksum.value_or("");
  if (checksum.empty()) return errors.required(field, "cannot be empty");
  const bool isUrl = checksum.starts_with("http://") || checksum.starts_with("https://");
  if (isUrl && !requestUriProblem(checksum).empty()) errors.invalid(field, checksum, "not a valid URL");
}

// spec/capm3.md §5.1
void checkImage(const std::string& field, const v1beta2::Metal3MachineSpec& spec, FieldErrors& errors) {
  if (!spec.customDeploy.method.empty()) return;
  const auto& image = spec.image;
  if (image.url.empty() && !image.checksum) return errors.required(field, "either image or customDeploy is required");
  checkUrl(field + ".URL", image.url, errors);
  isOci(image.url) ? checkOciImage(field, image, errors) : checkChecksum(field + ".Checksum", image, errors);
}

void checkSecret(const std::string& field, const std::optional<SecretReference>& secret, const std::string& home,
                 FieldErrors& errors) {
  if (secret && !secret->namespace_.empty() && secret->namespace_ != home)
    errors.forbidden("spec." + field + ".namespace", "cross-namespace secret references are not allowed");
}

}  // namespace

Verdict admitCreate(const v1beta2::Metal3Machine& machine) {
  Verdict out;
  const auto& spec = machine.spec;
  const std::string& home = machine.metadata.namespace_;
  checkImage("Spec.Image", spec, out.fields);
  checkSecret("userData", spec.userData, home, out.fields);
  checkSecret("metaData", spec.metaData, home, out.fields);
  checkSecret("networkData", spec.networkData, home, out.fields);
  return out;
}

Verdict admitUpdate(const v1beta2::Metal3Machine&, const v1beta2::Metal3Machine& after) { return admitCreate(after); }

Verdict admitCreate(const v1beta2::Metal3MachineTemplate& machine) {
  Verdict out;
  checkImage("Spec.Template.Spec.Image", machine.spec.template_.spec, out.fields);
  return out;
}

Verdict admitUpdate(const v1beta2::Metal3MachineTemplate&, const v1beta2::Metal3MachineTemplate& after) {
  return admitCreate(after);
}

}  // namespace ingot::api::capm3
