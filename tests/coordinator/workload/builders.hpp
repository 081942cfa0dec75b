// Nodes for tests.
#pragma once

#include "kube/core/node.hpp"

#include <string>

namespace ingot::tests {

inline kube::Node nodeNamed(std::string name, std::string providerId = {}) {
  kube::Node node;
  node.metadata.name = std::move(name);
  node.spec.providerId = std::move(providerId);
  return node;
}

inline kube::Node labelled(kube::Node node, const std::string& key, std::string value) {
  node.metadata.labels[key] = std::move(value);
  return node;
}

}  // namespace ingot::tests
