#include "coordinator/admission/kind_admission.hpp"

namespace ingot::coordinator {

void carryOut(Ruling ruling, bool replay, apiserver::Warnings& warnings) {
  if (ruling.refusal) throw apiserver::ApiError(std::move(*ruling.refusal), std::move(ruling.warnings));
  if (!replay) std::move(ruling.warnings.begin(), ruling.warnings.end(), std::back_inserter(warnings));
}

void KindAdmission::mutate(json::Value& object, const json::Value*, const apiserver::WriteContext& context,
                           apiserver::Warnings&) const {
  if (!context.subresource.empty()) return;
  try {
    kind_.rules->setDefaults(object);
  } catch (const json::DecodeError&) {  // its schema says so, where it does
    return;
  }
}

void KindAdmission::admit(const json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
                          apiserver::Warnings& warnings) const {
  if (!context.subresource.empty()) return;
  std::optional<api::Verdict> verdict;
  if (old != nullptr) verdict = whereReadable([&] { return kind_.rules->update(*old, object); });
  if (!verdict) verdict = whereReadable([&] { return kind_.rules->create(object); });
  if (!verdict) return;
  carryOut(rulingOf(*verdict, {*kind_.stored, json::textAt(object, {"metadata", "name"})}), context.replay, warnings);
}

}  // namespace ingot::coordinator
