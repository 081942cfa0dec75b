// What the API machinery must know of a kind, beside its fields. Every kind of ours has `static const kube::KindInfo
// info`, and its description is compiled beside it (json/describe.hpp).
#pragma once

#include "kube/core/object_meta.hpp"

#include <concepts>
#include <span>
#include <string>
#include <string_view>

namespace ingot::kube {

// A printer column of `kubectl get`.
struct Column {
  std::string_view name, type, jsonPath;
  int priority = 0;  // > 0: only with -o wide
  std::string_view format, description;
};

struct KindInfo {
  std::string_view group;  // "" for the core group
  std::string_view version;
  std::string_view kind;
  std::string_view plural;
  std::string_view singular;  // "": the kind in lower case
  std::string_view listKind;  // "": kind + "List"
  bool namespaced = true;
  bool statusSubresource = false;
  std::span<const std::string_view> shortNames{};
  std::span<const std::string_view> categories{};
  std::span<const Column> columns{};
  std::string_view doc{};

  [[nodiscard]] std::string apiVersion() const;  // "metal3.io/v1alpha1", "v1"
  [[nodiscard]] std::string resource() const;    // "baremetalhosts.metal3.io", "secrets": as messages name it
};

template <class T>
concept Kind = requires(T& t) {
  { T::info } -> std::convertible_to<const KindInfo&>;
  { t.metadata } -> std::convertible_to<ObjectMeta&>;
};

template <class T>
concept KindWithStatus = Kind<T> && requires(T& t) { t.status; };

}  // namespace ingot::kube
