// Which object of a kind.
#pragma once

#include <compare>
#include <functional>
#include <string>

namespace ingot::kube {

struct ObjectKey {
  std::string namespace_;  // "" for cluster-scoped objects
  std::string name;

  [[nodiscard]] std::string text() const { return namespace_.empty() ? name : namespace_ + "/" + name; }
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

}  // namespace ingot::kube

template <>
struct std::hash<ingot::kube::ObjectKey> {
  std::size_t operator()(const ingot::kube::ObjectKey& k) const noexcept {
    return std::hash<std::string>()(k.namespace_) * 31 + std::hash<std::string>()(k.name);
  }
};
