#include "coordinator/admission/refusal.hpp"

#include "base/text.hpp"

namespace ingot::coordinator {
namespace {

apiserver::Status forbidden(std::string message) {
  return {.code = 403, .reason = "Forbidden", .message = std::move(message), .details = apiserver::StatusDetails{}};
}

apiserver::Status invalid(const Subject& about, const api::FieldErrors& errors) {
  const auto& kind = about.kind;
  return {.code = 422,
          .reason = "Invalid",
          .message = errors.message(fmt::format("{}.{}", kind.kind, kind.group), about.name),
          .details = apiserver::StatusDetails{.name = about.name,
                                              .group = std::string(kind.group),
                                              .kind = std::string(kind.kind),
                                              .causes = errors.all()}};
}

}  // namespace

std::string webhookOf(const kube::KindInfo& kind) {
  const std::string name = base::lower(fmt::format("{}.{}", kind.kind, kind.group));
  return kind.group == "metal3.io" ? name : "validation." + name;
}

apiserver::Status deniedBy(const kube::KindInfo& kind, apiserver::Status refusal) {
  refusal.message = fmt::format("admission webhook \"{}\" denied the request: {}", webhookOf(kind), refusal.message);
  return refusal;
}

Ruling rulingOf(const api::Verdict& verdict, const Subject& about) {
  if (verdict.allowed()) return {.refusal = {}, .warnings = verdict.warnings};
  return {.refusal = verdict.fields.empty() ? forbidden(verdict.message()) : invalid(about, verdict.fields),
          .warnings = verdict.warnings};
}

Ruling rulingOnDelete(const api::Verdict& verdict, const Subject& about) {
  if (verdict.allowed()) return {.refusal = {}, .warnings = verdict.warnings};
  auto status =
      forbidden(fmt::format("{} \"{}\" is forbidden: {}", about.kind.resource(), about.name, verdict.message()));
  status.details = apiserver::StatusDetails{
      .name = about.name, .group = std::string(about.kind.group), .kind = std::string(about.kind.plural)};
  return {.refusal = std::move(status), .warnings = verdict.warnings};
}

}  // namespace ingot::coordinator
