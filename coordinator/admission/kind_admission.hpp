// Admission of one kind inside the embedded API: its defaults, then the rules that its validating webhook would run.
#pragma once

#include "api/kinds/kinds.hpp"
#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/registry.hpp"
#include "coordinator/admission/refusal.hpp"

#include <type_traits>

namespace ingot::coordinator {

// nullopt: a member has a type that only an older schema took. Nobody can be asked to mend what he did not write.
template <class Read>
std::optional<std::invoke_result_t<Read>> whereReadable(const Read& read) {
  try {
    return read();
  } catch (const json::DecodeError&) {
    return std::nullopt;
  }
}
template <kube::Kind T>
std::optional<T> readable(const json::Value& object) {
  return whereReadable([&] { return json::decode<T>(object); });
}

// Throws ApiError for a refusal. `replay`: warnings were given already.
void carryOut(Ruling ruling, bool replay, apiserver::Warnings& warnings);

class KindAdmission final : public apiserver::KindRules {
 public:
  // A kind that has rules.
  explicit KindAdmission(const api::KindRow& kind) : kind_(kind) {}

  void mutate(json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
              apiserver::Warnings& warnings) const override;
  void admit(const json::Value& object, const json::Value* old, const apiserver::WriteContext& context,
             apiserver::Warnings& warnings) const override;

 private:
  api::KindRow kind_;
};

// Admission of HostNetworkAttachments, which hosts may be using (spec/baremetalhost.md §4.3). `registry` is where the
// hosts are; lent.
[[nodiscard]] std::shared_ptr<const apiserver::KindRules> attachmentRules(const apiserver::Registry& registry);

}  // namespace ingot::coordinator
