// Metal3Data and Metal3DataClaim.
#include "api/capm3/admission.hpp"

namespace ingot::api::capm3 {

namespace {

using MaybeRef = std::optional<v1beta2::ObjectRef>;

void checkSame(std::string field, const MaybeRef& before, const MaybeRef& after, FieldErrors& errors) {
  if (before.value_or(v1beta2::ObjectRef{}) != after.value_or(v1beta2::ObjectRef{}))
    errors.invalidObject(std::move(field), json::encode(after), "cannot be modified");
}

void checkTemplateNamespace(const v1beta2::Metal3DataClaim& claim, FieldErrors& errors) {
  const std::string given = claim.spec.template_.value_or(v1beta2::ObjectRef{}).namespace_;
  if (given.empty() || given == claim.metadata.namespace_) return;
  errors.invalid("spec.template.namespace", given,
                 "must be empty or match the Metal3DataClaim namespace; cross-namespace template references are not "
                 "allowed");
}

}  // namespace

Verdict admitCreate(const v1beta2::Metal3Data& data) {
  Verdict out;
  const auto& spec = data.spec;
  if (spec.index && spec.template_ && data.metadata.name != fmt::format("{}-{}", spec.template_->name, *spec.index))
    out.fields.invalid("name", data.metadata.name, "should follow the convention <Metal3Template Name>-<index>");
  if (spec.index.value_or(0) < 0) out.fields.invalidObject("spec.Index", *spec.index, "must be positive value");
  return out;
}

Verdict admitUpdate(const v1beta2::Metal3Data& before, const v1beta2::Metal3Data& after) {
  Verdict out;
  if (before.spec.index.value_or(0) != after.spec.index.value_or(0))
    out.fields.invalidObject("spec.Index", json::encode(after.spec.index), "cannot be modified");
  checkSame("spec.Template", before.spec.template_, after.spec.template_, out.fields);
  checkSame("spec.claim", before.spec.claim, after.spec.claim, out.fields);
  return out;
}

Verdict admitCreate(const v1beta2::Metal3DataClaim& claim) {
  Verdict out;
  if (claim.spec.template_.value_or(v1beta2::ObjectRef{}).name.empty())
    out.fields.invalid("spec.template.name", "", "must be set");
  checkTemplateNamespace(claim, out.fields);
  return out;
}

Verdict admitUpdate(const v1beta2::Metal3DataClaim& before, const v1beta2::Metal3DataClaim& after) {
  Verdict out;
  checkSame("spec.template", before.spec.template_, after.spec.template_, out.fields);
  checkTemplateNamespace(after, out.fields);
  return out;
}

}  // namespace ingot::api::capm3
