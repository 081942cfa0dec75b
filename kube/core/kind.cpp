#include "kube/core/kind.hpp"

namespace ingot::kube {

std::string KindInfo::apiVersion() const {
  return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
}

std::string KindInfo::resource() const {
  return group.empty() ? std::string(plural) : std::string(plural) + "." + std::string(group);
}

}  // namespace ingot::kube
