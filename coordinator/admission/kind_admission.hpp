// Admission of one kind inside the embedded API: its defaults, then the rules that its validating webhook would run.
#pragma once

#include "api/kinds/kinds.hpp"
#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/registry.hpp"
#include "coordinator/admission/refusal.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace ingot::coordinator {

// nullopt: a member has a type that only an older schema allowed. The user of the present request did not write it and
// cannot be asked to correct it.
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

// Visits the objects of kind T whose text holds `name` as a whole string, of one namespace when given. All others are
// spared the reading, which is most of the work.
template <kube::Kind T>
void eachMentioning(const apiserver::Registry& registry, const std::string& name,
                    const std::function<void(const T&)>& visit,
                    const std::optional<std::string>& namespace_ = std::nullopt) {
  const std::string mention = "\"" + name + "\"";
  registry.eachObject({std::string(T::info.group), std::string(T::info.plural)}, [&](const apiserver::Object& object) {
    if (namespace_ && object.key.space != *namespace_) return;
    std::string room;
    if (object.body.view(room).find(mention) == std::string_view::npos) return;
    if (const auto read = readable<T>(documentOf(object))) visit(*read);
  });
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

// A range of an IPPool stays while addresses of it are in use: as the address objects say, of which status.indexes may
// show some only (spec/ipam.md §7.2). Runs after the rules that look at the pool alone.
[[nodiscard]] std::shared_ptr<const apiserver::KindRules> poolRules(const apiserver::Registry& registry);

}  // namespace ingot::coordinator
