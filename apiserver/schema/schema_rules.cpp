#include "apiserver/schema/schema_rules.hpp"

#include "apiserver/registry/errors.hpp"
#include "apiserver/schema/validate.hpp"
#include "kube/schema/prune.hpp"

namespace ingot::apiserver {

namespace {

using kube::Schema;

// Unknown fields are reported as the request wants it.
void report(const std::vector<std::string>& unknown, std::string_view kind, const std::string& before,
            const WriteContext& context, Warnings& warnings) {
  if (unknown.empty() || context.fieldValidation == FieldValidation::ignore) return;
  std::vector<std::string> problems;
  problems.reserve(unknown.size());
  for (const auto& path : unknown) problems.push_back("unknown field \"" + path + "\"");
  if (context.fieldValidation == FieldValidation::strict) {
    if (context.patch) throw strictPatchError(before, problems);
    throw strictDecodingError(kind, context.version, problems);
  }
  if (!context.replay) warnings.insert(warnings.end(), problems.begin(), problems.end());
}

// The refusal of a strict patch shows the object as the patch left it.
std::string shownBefore(const json::Value& object, const WriteContext& context) {
  const bool needed = context.patch && context.fieldValidation == FieldValidation::strict;
  return needed ? json::serializeSorted(object) : "";
}

std::string cannotBeHandled(std::string_view kind, std::string_view version) {
  return fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: ", kind, version);
}

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

// The refusal of a decoder into Go structs, which is what kube-apiserver has for metadata and for built-in kinds:
// `json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`. nullopt: there is none.
// `field`: where `v` itself is in the struct.
std::optional<std::string> goTypeProblem(const Schema& schema, const json::Value& v, std::string_view structName,
                                         std::string_view field = {}) {
  if (!fits(schema, v))
    return fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}", json::kindName(v), structName,
                       field, goType(schema));
  if (const json::Array* items = v.if_array(); items && schema.items) {
    for (const auto& item : *items)
      if (auto problem = goTypeProblem(*schema.items, item, structName, field)) return problem;
  } else if (const json::Object* members = v.if_object()) {
    for (const auto& [name, child] : *members) {
      const Schema* property = schema.property(name);
      const Schema* known = property ? property : schema.additional.get();
      if (!known) continue;
      const std::string path = !property       ? std::string(field)
                               : field.empty() ? std::string(name)
                                               : fmt::format("{}.{}", field, std::string_view(name));
      if (auto problem = goTypeProblem(*known, child, structName, path)) return problem;
    }
  }
  return std::nullopt;
}

void checkMetadata(const json::Value& object, std::string_view structName, std::string_view field,
                   std::string_view kind, const WriteContext& context) {
  const json::Value* metadata = json::find(object, {"metadata"});
  if (!metadata || metadata->is_null()) return;
  if (!metadata->is_object())
    throw badRequest(
        cannotBeHandled(kind, context.version) +
        fmt::format("json: cannot unmarshal {} into Go value of type v1.ObjectMeta", json::kindName(*metadata)));
  if (const auto problem = goTypeProblem(kube::objectMetaSchema(), *metadata, structName, field))
    throw badRequest(cannotBeHandled(kind, context.version) + *problem);
}

}  // namespace

ApiError strictPatchError(std::string_view object, const std::vector<std::string>& problems) {
  const std::string shown = json::serialize(json::Value(object));
  const StatusCause cause{
      "FieldValueInvalid",
      "Invalid value: " + shown + ": strict decoding error: " + fmt::format("{}", fmt::join(problems, ", ")), "patch"};
  Status status{.code = 422, .reason = "Invalid", .message = " \"\" is invalid: patch: " + cause.message};
  status.details = StatusDetails{.causes = {cause}};
  return ApiError(std::move(status));
}

ApiError strictDecodingError(std::string_view kind, std::string_view version,
                             const std::vector<std::string>& problems) {
  return badRequest(cannotBeHandled(kind, version) +
                    "strict decoding error: " + fmt::format("{}", fmt::join(problems, ", ")));
}

SchemaRules::SchemaRules(std::string kind, Catalog::Versions versions)
    : kind_(std::move(kind)), versions_(std::move(versions)) {}

void SchemaRules::prepare(json::Value& object, const WriteContext& context, Warnings& warnings) const {
  const auto found = versions_.find(context.version);
  if (found == versions_.end() || !object.is_object()) return;
  checkMetadata(object, "ObjectMeta", "", kind_, context);
  const std::string before = shownBefore(object, context);
  std::vector<std::string> unknown;
  kube::pruneObject(found->second->schema(), object, unknown);
  std::sort(unknown.begin(), unknown.end());
  report(unknown, kind_, before, context, warnings);
  kube::applyDefaults(found->second->schema(), object);
}

std::vector<StatusCause> SchemaRules::validate(const json::Value& object, const json::Value* old,
                                               const WriteContext& context, Warnings&) const {
  const auto found = versions_.find(context.version);
  if (found == versions_.end()) return {};
  return validateObject(found->second->schema(), object, old, context.subresource);
}

TypedRules::TypedRules(std::string kind, KindSchemaPtr schema) : kind_(std::move(kind)), schema_(std::move(schema)) {}

void TypedRules::prepare(json::Value& object, const WriteContext& context, Warnings& warnings) const {
  if (!object.is_object()) return;
  if (const auto problem = goTypeProblem(schema_->schema(), object, kind_))
    throw badRequest(cannotBeHandled(kind_, context.version) + *problem);
  checkMetadata(object, "ObjectMeta", "metadata", kind_, context);
  const std::string before = shownBefore(object, context);
  std::vector<std::string> unknown;
  kube::pruneObject(schema_->schema(), object, unknown);
  report(unknown, kind_, before, context, warnings);  // in the order of the document, as Go's decoder meets them
  kube::applyDefaults(schema_->schema(), object);
  kube::dropEmpty(schema_->schema(), object);
}

}  // namespace ingot::apiserver
