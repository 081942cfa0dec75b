// How a row is made from a kind's struct: its rules are the functions of this name that its group has.
#pragma once

#include "api/crd/crd.hpp"
#include "api/kinds/kinds.hpp"
#include "json/patch.hpp"

namespace ingot::api {

// The lists of the sets, each beside the structs it names, so that no source knows all kinds.
[[nodiscard]] std::vector<KindRow> hostKinds();
[[nodiscard]] std::vector<KindRow> companionKinds();
[[nodiscard]] std::vector<KindRow> ipamKinds();
[[nodiscard]] std::vector<KindRow> clusterApiKinds();
[[nodiscard]] std::vector<KindRow> clusterApiCoreKinds();

namespace kind_rules {

template <kube::Kind T>
void defaultsOf(json::Value& object) {
  if constexpr (requires(T& t) { setDefaults(t); }) {
    const T before = json::decode<T>(object);
    T after = before;
    setDefaults(after);
    json::applyMergePatch(object, json::mergePatch(json::encode(before), json::encode(after)));
  }
}

template <kube::Kind T>
Verdict createOf(const json::Value& object) {
  return admitCreate(json::decode<T>(object));
}

template <kube::Kind T>
Verdict updateOf(const json::Value& before, const json::Value& after) {
  return admitUpdate(json::decode<T>(before), json::decode<T>(after));
}

template <kube::Kind T>
std::optional<KindRules> of() {
  if constexpr (!requires(const T& t) { admitCreate(t); })
    return std::nullopt;
  else if constexpr (!requires(const T& t) { admitUpdate(t, t); })
    return KindRules{.setDefaults = defaultsOf<T>, .create = createOf<T>, .update = nullptr};
  else
    return KindRules{.setDefaults = defaultsOf<T>, .create = createOf<T>, .update = updateOf<T>};
}

}  // namespace kind_rules

// A kind of one version.
template <kube::Kind T>
[[nodiscard]] KindRow rowOf(KindSet set, json::Object (*crd)() = crdOf<T>) {
  return {.stored = &T::info, .set = set, .crd = crd, .rules = kind_rules::of<T>()};
}

// A kind whose v1beta1 is still served beside its stored v1beta2.
template <kube::Kind Old, kube::Kind New>
[[nodiscard]] json::Object crdOfBoth(CrdMeta meta) {
  auto old = crdVersion<Old>();
  old.storage = false;
  old.deprecated = true;
  return crdOf({std::move(old), crdVersion<New>()}, std::move(meta));
}

// spec.conversion of a CRD whose provider converts in the namespace `space`. The embedded API does it in process.
[[nodiscard]] json::Object byWebhook(std::string_view service, std::string_view space);

}  // namespace ingot::api
