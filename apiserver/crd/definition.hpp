// A CustomResourceDefinition, understood.
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "apiserver/registry/status.hpp"
#include "apiserver/schema/catalog.hpp"

namespace ingot::apiserver {

inline const GroupResource kCrds{"apiextensions.k8s.io", "customresourcedefinitions"};
inline constexpr std::string_view kCrdFinalizer = "customresourcecleanup.apiextensions.k8s.io";

struct CrdDefinition {
  ResourceInfo info;
  Catalog::Versions schemas;
};

// Fills in what may be left out: singular, listKind, the conversion strategy.
void defaultCrd(json::Value& crd);

// What is wrong with it, including everything that this server could only ignore.
[[nodiscard]] std::vector<StatusCause> crdProblems(const json::Value& crd);

// Of a definition without problems; throws SchemaError otherwise.
[[nodiscard]] CrdDefinition readCrd(const json::Value& crd);

}  // namespace ingot::apiserver
