// What is known of each served kind and version beside its object semantics: schema and printer columns. Filled from
// CRDs and from the built-in kinds; read by validation, OpenAPI and Table output.
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "kube/schema/schema.hpp"

#include <functional>
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

// One version of a kind. Its schema is compiled when it is first needed: most kinds of a server never are.
class KindSchema {
 public:
  // Reads the OpenAPI schema from where it is kept; called for each compilation and each OpenAPI document.
  using Source = std::function<json::Value()>;
  KindSchema(Source source, std::vector<PrinterColumn> columns)
      : source_(std::move(source)), columns_(std::move(columns)) {}

  [[nodiscard]] json::Value openApi() const { return source_(); }                       // as the CRD carries it
  [[nodiscard]] const kube::Schema& schema() const;                                     // throws SchemaError
  [[nodiscard]] const std::vector<PrinterColumn>& columns() const { return columns_; }  // besides Name

 private:
  Source source_;
  std::vector<PrinterColumn> columns_;
  mutable SchemaPtr compiled_;
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

}  // namespace ingot::apiserver
