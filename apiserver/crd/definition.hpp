// A CustomResourceDefinition, understood.
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "apiserver/registry/status.hpp"
#include "apiserver/schema/catalog.hpp"
#include "apiserver/store/object.hpp"

#include <memory>
#include <set>

namespace ingot::apiserver {

inline const GroupResource kCrds{"apiextensions.k8s.io", "customresourcedefinitions"};
inline constexpr std::string_view kCrdFinalizer = "customresourcecleanup.apiextensions.k8s.io";

// Where the document of a definition is kept: schemas are read out of it when somebody needs them, so that it is in
// memory once.
struct CrdDocument {
  ObjectPtr object;
};

struct CrdDefinition {
  ResourceInfo info;
  Catalog::Versions schemas;
  bool byWebhook = false;  // its versions are converted by more than their name
};

// Kinds that this server converts in process: their definitions may ask for a conversion webhook.
using ConvertibleKinds = std::set<GroupResource>;

// Fills in what may be left out: singular, listKind, the conversion strategy.
void defaultCrd(json::Value& crd);

// What is wrong with it, including everything that this server could only ignore.
[[nodiscard]] std::vector<StatusCause> crdProblems(const json::Value& crd, const ConvertibleKinds& convertible);

// Of a definition without problems, under the names that it has; `crd` is what `document` holds.
[[nodiscard]] CrdDefinition readCrd(const json::Value& crd, const json::Value& names,
                                    std::shared_ptr<const CrdDocument> document);

[[nodiscard]] std::string storageVersionOf(const json::Value& crd);

}  // namespace ingot::apiserver
