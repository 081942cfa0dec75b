#include "kube/core/node.hpp"

#include <algorithm>

namespace ingot::kube {

const NodeCondition* Node::condition(std::string_view type) const {
  const auto found = std::ranges::find(status.conditions, type, &NodeCondition::type);
  return found == status.conditions.end() ? nullptr : &*found;
}

bool Node::isReady() const {
  const NodeCondition* ready = condition("Ready");
  return ready && ready->status == "True";
}

}  // namespace ingot::kube
