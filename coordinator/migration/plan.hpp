// Which objects of a kind with several versions still speak of an old one, and what brings them to the new one
// (spec/cluster-api.md §1.17): a version can be taken out of a CustomResourceDefinition only when nothing is stored in
// it, and nothing in managed fields names it. Pure.
#pragma once

#include "json/value.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::coordinator::migration {

inline constexpr std::string_view observedAnnotation = "crd-migration.cluster.x-k8s.io/observed-generation";

// As --skip-crd-migration-phases names them.
struct Phases {
  bool storageVersion = true;  // StorageVersionMigration
  bool managedFields = true;   // CleanupManagedFields
  [[nodiscard]] bool any() const { return storageVersion || managedFields; }
  friend bool operator==(const Phases&, const Phases&) = default;
};

// What of a CustomResourceDefinition matters to this.
struct Definition {
  std::string group, kind, plural;
  std::string resourceVersion;
  std::int64_t generation = 0;
  std::optional<std::int64_t> observed;  // the generation that was brought to its end
  std::string storage;                   // the version that is stored from now on
  std::vector<std::string> served, stored;

  [[nodiscard]] std::string apiVersion(std::string_view version) const;
};

// Throws base::Error for a document that is none.
[[nodiscard]] Definition definitionIn(const json::Value& document);

// What is to be done for it; nothing when its generation was brought to its end.
[[nodiscard]] Phases due(const Definition& definition, const Phases& wanted);

// Has the API server store the object anew: a merge patch that changes nothing. `object`: with its metadata.
[[nodiscard]] json::Value storageMigration(const Definition& definition, const json::Value& object);

// Takes entries of versions that are served no more out of its managed fields, as a JSON patch that holds for this
// resourceVersion alone; nullopt: there are none. The last one leaves an empty entry of the stored version behind:
// without any the API server would begin with one of its own.
[[nodiscard]] std::optional<json::Value> managedFieldsCleanup(const Definition& definition, const json::Value& object);

}  // namespace ingot::coordinator::migration
