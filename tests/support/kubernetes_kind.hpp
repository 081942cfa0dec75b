// Kinds of Kubernetes' own that the embedded API does not have: a CustomResourceDefinition that takes whatever they
// hold.
#pragma once

#include "json/value.hpp"
#include "kube/core/kind.hpp"

namespace ingot::tests {

inline json::Object kubernetesKind(const kube::KindInfo& info) {
  json::Object version{
      {"name", info.version},
      {"served", true},
      {"storage", true},
      {"schema", json::Object{{"openAPIV3Schema",
                               json::Object{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}}}}};
  if (info.statusSubresource) version["subresources"] = json::Object{{"status", json::Object{}}};
  return {{"apiVersion", "apiextensions.k8s.io/v1"},
          {"kind", "CustomResourceDefinition"},
          {"metadata", json::Object{{"name", info.resource()},
                                    {"annotations", json::Object{{"api-approved.kubernetes.io", "https://test"}}}}},
          {"spec", json::Object{{"group", info.group},
                                {"scope", info.namespaced ? "Namespaced" : "Cluster"},
                                {"names", json::Object{{"kind", info.kind}, {"plural", info.plural}}},
                                {"versions", json::Array{std::move(version)}}}}};
}

}  // namespace ingot::tests
