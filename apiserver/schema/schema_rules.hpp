// A kind's schema as the registry asks for it: prune, default, fieldValidation, judge.
#pragma once

#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/schema/catalog.hpp"

namespace ingot::apiserver {

// For a kind that a CRD defines.
class SchemaRules final : public KindRules {
 public:
  SchemaRules(std::string kind, Catalog::Versions versions);

  void prepare(json::Value& object, const WriteContext&, Warnings&) const override;
  [[nodiscard]] std::vector<StatusCause> validate(const json::Value& object, const json::Value* old,
                                                  const WriteContext&, Warnings&) const override;

 private:
  std::string kind_;
  Catalog::Versions versions_;
};

// For a built-in kind: unknown fields go and fields of a wrong type are refused as Go's decoder refuses them; its other
// rules are code.
class TypedRules final : public KindRules {
 public:
  TypedRules(std::string kind, KindSchemaPtr schema);
  void prepare(json::Value& object, const WriteContext&, Warnings&) const override;

 private:
  std::string kind_;
  KindSchemaPtr schema_;
};

// What strict validation says of `problems` (each `unknown field "x"` or `duplicate field "x"`).
[[nodiscard]] ApiError strictDecodingError(std::string_view kind, std::string_view version,
                                           const std::vector<std::string>& problems);
// The same of a patch; `object`: the text of what it would have made.
[[nodiscard]] ApiError strictPatchError(std::string_view object, const std::vector<std::string>& problems);

}  // namespace ingot::apiserver
