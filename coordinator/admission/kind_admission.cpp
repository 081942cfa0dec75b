#include "coordinator/admission/kind_admission.hpp"

namespace ingot::coordinator {

// Objects that do not hold the name are spared the reading, which is most of the work.
void RegistryObjects::eachMentioning(const kube::KindInfo& kind, const std::string& name,
                                     const std::optional<std::string>& namespace_, const Visit& visit) const {
  const std::string mention = "\"" + name + "\"";
  registry_.eachObject({std::string(kind.group), std::string(kind.plural)}, [&](const apiserver::Object& object) {
    if (namespace_ && object.key.space != *namespace_) return;
    std::string room;
    if (object.body.view(room).find(mention) != std::string_view::npos) visit(documentOf(object));
  });
}

std::optional<json::Value> RegistryObjects::named(const kube::KindInfo& kind, const kube::ObjectKey& key) const {
  const auto object = registry_.stored({std::string(kind.group), std::string(kind.plural)}, {key.namespace_, key.name});
  return object ? std::optional(documentOf(*object)) : std::nullopt;
}

void KindAdmission::mutate(json::Value& object, const json::Value*, const apiserver::WriteContext& context,
                           apiserver::Warnings&) const {
  if (context.subresource.empty()) setDefaults(kind_, object);
}

void KindAdmission::admit(const json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
                          apiserver::Warnings& warnings) const {
  if (!context.subresource.empty()) return;
  decide(
      {.operation = old ? apiserver::Operation::update : apiserver::Operation::create, .object = object, .before = old},
      context.replay, warnings);
}

void KindAdmission::admitDelete(const json::Value& object, const apiserver::WriteContext& context,
                                apiserver::Warnings& warnings) const {
  decide({.operation = apiserver::Operation::remove, .object = object}, context.replay, warnings);
}

// `replay`: warnings were given already.
void KindAdmission::decide(const Question& question, bool replay, apiserver::Warnings& warnings) const {
  Ruling ruling = judge(kind_, question, *others_);
  if (ruling.refusal)
    throw apiserver::ApiError(deniedBy(*kind_.stored, std::move(*ruling.refusal)), std::move(ruling.warnings));
  if (!replay) std::move(ruling.warnings.begin(), ruling.warnings.end(), std::back_inserter(warnings));
}

}  // namespace ingot::coordinator
