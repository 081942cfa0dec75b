// Resources that are answered without being stored: the reviews of authentication and authorization.
#pragma once

#include <span>
#include <string_view>

namespace ingot::apiserver {

struct VirtualResource {
  std::string_view group, version, plural, singular, kind;
  bool namespaced = false;
};
[[nodiscard]] std::span<const VirtualResource> virtualResources();
[[nodiscard]] const VirtualResource* findVirtual(std::string_view group, std::string_view plural);

}  // namespace ingot::apiserver
