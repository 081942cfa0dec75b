// Admission of one kind inside the embedded API: its defaults, then the rules that its validating webhook would run.
#pragma once

#include "api/bmh/admission.hpp"
#include "api/capm3/admission.hpp"
#include "api/ipam/admission.hpp"
#include "api/metal3/admission.hpp"
#include "apiserver/registry/kind_rules.hpp"
#include "coordinator/admission/refusal.hpp"
#include "json/patch.hpp"

namespace ingot::coordinator {

namespace rules_of_kinds {  // one set of names for the functions of every group
using api::admitCreate, api::capm3::admitCreate, api::ipam::admitCreate;
using api::admitUpdate, api::capm3::admitUpdate, api::ipam::admitUpdate;
using api::capm3::setDefaults, api::ipam::setDefaults;
}  // namespace rules_of_kinds

// nullopt: a member has a type that only an older schema took.
template <kube::Kind T>
[[nodiscard]] std::optional<T> readable(const json::Value& object) {
  try {
    return json::decode<T>(object);
  } catch (const json::DecodeError&) {
    return std::nullopt;
  }
}

// Throws ApiError for a refusal. `replay`: warnings were given already.
void carryOut(Ruling ruling, bool replay, apiserver::Warnings& warnings);

template <kube::Kind T>
class KindAdmission final : public apiserver::KindRules {
 public:
  void mutate(json::Value& object, const json::Value*, const apiserver::WriteContext& context,
              apiserver::Warnings&) const override {
    using namespace rules_of_kinds;
    if constexpr (requires(T& t) { setDefaults(t); }) {
      const auto before = context.subresource.empty() ? readable<T>(object) : std::nullopt;
      if (!before) return;
      T after = *before;
      setDefaults(after);
      json::applyMergePatch(object, json::mergePatch(json::encode(*before), json::encode(after)));
    }
  }

  void admit(const json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
             apiserver::Warnings& warnings) const override {
    using namespace rules_of_kinds;
    if (!context.subresource.empty()) return;
    const auto after = readable<T>(object);
    if (!after) return;
    const auto before = old ? readable<T>(*old) : std::nullopt;
    const auto answer = before ? admitUpdate(*before, *after) : admitCreate(*after);
    carryOut(rulingOf(answer, {T::info, after->metadata.name}), context.replay, warnings);
  }
};

}  // namespace ingot::coordinator
