#include "tests/api/field_table.hpp"

#include <fstream>
#include <sstream>

namespace ingot::tests {

std::string FieldRow::text() const {
  return type + (required ? " required " : " ") + (rules.is_null() ? "{}" : json::serializeSorted(rules));
}

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) out.push_back(part);
  return out;
}

// "key=value key=value"; a value may hold spaces.
std::map<std::string, std::string> pairs(const std::string& text) {
  std::map<std::string, std::string> out;
  std::string last;
  for (const auto& word : split(text, ' ')) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) {
      if (!last.empty()) out[last] += " " + word;
    } else {
      last = word.substr(0, equals);
      out[last] = word.substr(equals + 1);
    }
  }
  return out;
}

void readHeader(FieldTable& table, const std::string& text) {
  if (text.starts_with("column ")) {
    const auto column = pairs(text.substr(7));
    table.columns.push_back(column.at("name") + " " + column.at("type") + " " + column.at("jsonPath") + " " +
                            column.at("priority"));
    return;
  }
  for (const auto& [key, value] : pairs(text))
    table.names[key] = value.starts_with('{') ? json::serialize(json::parse(value)) : value;
}

void readRow(FieldTable& table, const std::string& text) {
  auto parts = split(text, '\t');
  parts.resize(4);
  FieldRow row{.type = parts[1], .required = parts[2] == "required"};
  if (!parts[3].empty()) row.rules = json::parse(parts[3]);
  table.fields[parts[0]] = row;
}

std::string joined(const json::Array* items) {
  std::string out;
  if (items)
    for (const auto& item : *items) out += (out.empty() ? "" : ",") + std::string(item.get_string());
  return out;
}

// Keywords that the table shows in columns of their own, or not at all.
bool isStructure(std::string_view keyword) {
  for (const std::string_view known :
       {"type", "description", "properties", "items", "required", "additionalProperties"})
    if (keyword == known) return true;
  return false;
}

// The tables leave out what a CEL rule says when it is broken.
json::Value withoutMessages(json::Value validations) {
  for (auto& rule : validations.as_array()) rule.as_object().erase("message");
  return validations;
}

json::Value rulesOf(const json::Object& schema) {
  json::Object rules;
  for (const auto& [key, value] : schema)
    if (!isStructure(key)) rules[key] = key == "x-kubernetes-validations" ? withoutMessages(value) : value;
  return rules.empty() ? json::Value() : json::Value(rules);
}

void flatten(FieldTable& table, const json::Value& schema, const std::string& path, bool required) {
  table.fields[path] = {json::textAt(schema, {"type"}), required, rulesOf(schema.get_object())};
  if (const auto* items = json::find(schema, {"items"})) flatten(table, *items, path + "[]", false);
  if (const auto* values = json::find(schema, {"additionalProperties"})) flatten(table, *values, path + "{}", false);
  const auto* properties = json::objectAt(schema, {"properties"});
  if (!properties) return;
  const std::string needed = "," + joined(json::arrayAt(schema, {"required"})) + ",";
  for (const auto& [name, property] : *properties)
    flatten(table, property, path + "." + std::string(name),
            needed.find("," + std::string(name) + ",") != std::string::npos);
}

std::string flag(const json::Value& version, std::string_view name) {
  return json::boolAt(version, {name}).value_or(false) ? "True" : "False";
}

// As the tables have them: before a release adds those of the provider and its contract (spec/capm3.md §1.1).
std::string labelsOf(const json::Value& crd) {
  json::Object out;
  if (const auto* labels = json::objectAt(crd, {"metadata", "labels"}))
    for (const auto& [key, value] : *labels)
      if (!key.starts_with("cluster.x-k8s.io/")) out[key] = value;
  return json::serialize(out);
}

const json::Value& versionOf(const json::Value& crd, const std::string& name) {
  for (const auto& version : *json::arrayAt(crd, {"spec", "versions"}))
    if (json::textAt(version, {"name"}) == name) return version;
  throw base::InvalidInput(name, "no version of " + json::textAt(crd, {"spec", "names", "kind"}));
}

void readNames(FieldTable& table, const json::Value& crd, const json::Value& version) {
  table.names = {{"group", json::textAt(crd, {"spec", "group"})},
                 {"scope", json::textAt(crd, {"spec", "scope"})},
                 {"kind", json::textAt(crd, {"spec", "names", "kind"})},
                 {"plural", json::textAt(crd, {"spec", "names", "plural"})},
                 {"listKind", json::textAt(crd, {"spec", "names", "listKind"})},
                 {"shortNames", joined(json::arrayAt(crd, {"spec", "names", "shortNames"}))},
                 {"categories", joined(json::arrayAt(crd, {"spec", "names", "categories"}))},
                 {"version", json::textAt(version, {"name"})},
                 {"served", flag(version, "served")},
                 {"storage", flag(version, "storage")},
                 {"deprecated", flag(version, "deprecated")},
                 {"labels", labelsOf(crd)},
                 {"subresources", json::serialize(version.at("subresources"))}};
}

template <class Map, class Text>
void compareMaps(const Map& wanted, const Map& actual, const std::string& what, Text&& text,
                 std::set<std::string>& out) {
  for (const auto& [key, value] : wanted) {
    const auto found = actual.find(key);
    if (found == actual.end()) {
      out.insert(what + key + " is missing");
    } else if (text(found->second) != text(value)) {
      out.insert(what + key + ": want " + text(value) + ", got " + text(found->second));
    }
  }
  for (const auto& [key, value] : actual)
    if (!wanted.contains(key)) out.insert(what + key + " is not in the table");
}

}  // namespace

FieldTable readFieldTable(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw base::InvalidInput(path, "cannot be read");
  FieldTable table;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ")) {
      readHeader(table, line.substr(2));
    } else if (!line.empty()) {
      readRow(table, line);
    }
  }
  return table;
}

FieldTable fieldTableOf(const json::Value& crd, const std::string& versionName) {
  FieldTable table;
  const auto& version = versionOf(crd, versionName);
  readNames(table, crd, version);
  if (const auto* columns = json::arrayAt(version, {"additionalPrinterColumns"}))
    for (const auto& column : *columns)
      table.columns.push_back(json::textAt(column, {"name"}) + " " + json::textAt(column, {"type"}) + " " +
                              json::textAt(column, {"jsonPath"}) + " " +
                              std::to_string(json::intAt(column, {"priority"}).value_or(0)));
  const auto& schema = *json::find(version, {"schema", "openAPIV3Schema"});
  const std::string needed = "," + joined(json::arrayAt(schema, {"required"})) + ",";
  for (const auto& [name, property] : *json::objectAt(schema, {"properties"}))
    if (name == "spec" || name == "status")
      flatten(table, property, "." + std::string(name),
              needed.find("," + std::string(name) + ",") != std::string::npos);
  return table;
}

std::set<std::string> differences(const FieldTable& wanted, const FieldTable& actual) {
  std::set<std::string> out;
  compareMaps(wanted.names, actual.names, "", [](const std::string& s) { return s; }, out);
  compareMaps(wanted.fields, actual.fields, "", [](const FieldRow& row) { return row.text(); }, out);
  if (wanted.columns != actual.columns) out.insert("the columns differ");
  return out;
}

}  // namespace ingot::tests
