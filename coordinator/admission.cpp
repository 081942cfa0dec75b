#include "coordinator/admission.hpp"

#include "api/bmh/admission.hpp"

namespace ingot::coordinator {
namespace {

// Says it as a cluster with the webhook does, so that users and tools see the same words.
apiserver::ApiError denied(const std::string& message) {
  return apiserver::ApiError({.code = 403,
                              .reason = "Forbidden",
                              .message = "admission webhook \"baremetalhost.metal3.io\" denied the request: " + message,
                              .details = apiserver::StatusDetails{}});
}

// nullopt: a member has a wrong type, about which the schema complains in its own words.
std::optional<api::BareMetalHost> readable(const json::Value& object) {
  try {
    return json::decode<api::BareMetalHost>(object);
  } catch (const json::DecodeError&) {
    return std::nullopt;
  }
}

class HostRules final : public apiserver::KindRules {
 public:
  std::vector<apiserver::StatusCause> validate(const json::Value& object, const json::Value* old,
                                               const apiserver::WriteContext& context,
                                               apiserver::Warnings& warnings) const override {
    if (!context.subresource.empty()) return {};
    const auto after = readable(object);
    if (!after) return {};
    const api::Verdict verdict =
        old == nullptr ? api::admitCreate(*after) : api::admitUpdate(json::decode<api::BareMetalHost>(*old), *after);
    if (!context.replay) warnings.insert(warnings.end(), verdict.warnings.begin(), verdict.warnings.end());
    if (!verdict.allowed()) throw denied(verdict.message());
    return {};
  }
};

}  // namespace

std::map<apiserver::GroupResource, std::vector<std::shared_ptr<const apiserver::KindRules>>> admissionRules() {
  const auto& info = api::BareMetalHost::info;
  return {{{std::string(info.group), std::string(info.plural)}, {std::make_shared<HostRules>()}}};
}

}  // namespace ingot::coordinator
