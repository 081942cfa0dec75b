#include "apiserver/schema/go_types.hpp"

namespace ingot::apiserver {

namespace {

using kube::Schema;

std::string goType(const Schema& schema) {
  switch (schema.type) {
    case Schema::Type::any: return "interface {}";
    case Schema::Type::object: return schema.additional ? "map[string]" + goType(*schema.additional) : "struct";
    case Schema::Type::array: return "[]" + (schema.items ? goType(*schema.items) : std::string("interface {}"));
    case Schema::Type::string: return schema.format == "byte" ? "[]uint8" : "string";
    case Schema::Type::integer: return schema.format == "int32" ? "int32" : "int64";
    case Schema::Type::number: return "float64";
    case Schema::Type::boolean: return "bool";
  }
  return "";
}

bool fits(const Schema& schema, const json::Value& v) {
  if (v.is_null() || schema.intOrString) return true;
  switch (schema.type) {
    case Schema::Type::any: return true;
    case Schema::Type::object: return v.is_object();
    case Schema::Type::array: return v.is_array();
    case Schema::Type::string: return v.is_string();
    case Schema::Type::integer: return v.is_int64() || v.is_uint64();
    case Schema::Type::number: return v.is_number();
    case Schema::Type::boolean: return v.is_bool();
  }
  return true;
}

std::optional<std::string> check(const Schema& schema, const json::Value& v, std::string_view structName,
                                 const std::string& field) {
  if (!fits(schema, v))
    return fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}", json::kindName(v), structName,
                       field, goType(schema));
  if (const json::Array* items = v.if_array(); items && schema.items) {
    for (const auto& item : *items)
      if (auto problem = check(*schema.items, item, structName, field)) return problem;
  } else if (const json::Object* members = v.if_object()) {
    for (const auto& [name, child] : *members) {
      const Schema* property = schema.property(name);
      const Schema* known = property ? property : schema.additional.get();
      if (!known) continue;
      const std::string path = !property ? field : field.empty() ? std::string(name) : field + "." + std::string(name);
      if (auto problem = check(*known, child, structName, path)) return problem;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> goTypeProblem(const Schema& schema, const json::Value& value, std::string_view structName,
                                         std::string_view field) {
  return check(schema, value, structName, std::string(field));
}

}  // namespace ingot::apiserver
