// The field tables in tests/data/fields: what upstream's CRDs serve, one field a line.
#pragma once

#include "json/value.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ingot::tests {

struct FieldRow {
  std::string type;
  bool required = false;
  json::Value rules;  // further schema keywords

  [[nodiscard]] std::string text() const;
};

struct FieldTable {
  std::map<std::string, std::string> names;  // group, kind, plural, listKind, shortNames, scope, version, subresources
  std::vector<std::string> columns;          // "Status string .status.operationalStatus 1"
  std::map<std::string, FieldRow> fields;    // by path, ".spec.nics[].mac"
};

[[nodiscard]] FieldTable readFieldTable(const std::string& path);
// The same of a version of a CRD; descriptions are left out.
[[nodiscard]] FieldTable fieldTableOf(const json::Value& crd, const std::string& version);

// What differs, one line each.
[[nodiscard]] std::set<std::string> differences(const FieldTable& wanted, const FieldTable& actual);

}  // namespace ingot::tests
