// What is known of each served kind and version beside its object semantics: schema and printer columns. Filled from
// CRDs and from the built-in kinds; read by validation, OpenAPI and Table output.
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "kube/schema/schema.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ingot::apiserver {

using kube::compileSchema;
using kube::SchemaError;
using kube::SchemaPtr;

struct PrinterColumn {
  std::string name, type, format, description, jsonPath;
  int priority = 0;
};

struct KindSchema {
  json::Value openApi;  // as the CRD carries it
  SchemaPtr schema;
  std::vector<PrinterColumn> columns;  // besides Name
};
using KindSchemaPtr = std::shared_ptr<const KindSchema>;

class Catalog {
 public:
  using Versions = std::map<std::string, KindSchemaPtr>;
  void set(const GroupResource& id, Versions versions);
  void remove(const GroupResource& id);
  [[nodiscard]] KindSchemaPtr find(const GroupResource& id, const std::string& version) const;  // null: none
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  std::map<GroupResource, Versions> kinds_;
  std::uint64_t changes_ = 0;
};

// Throws SchemaError.
[[nodiscard]] KindSchemaPtr makeKindSchema(const json::Value& openApi, std::vector<PrinterColumn> columns);

}  // namespace ingot::apiserver
