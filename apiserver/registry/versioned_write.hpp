// A write as its client worded it, beside the form in which it will be stored (spec/kubernetes-api.md §9, conversion).
//
// Where a kind converts between the two, the schema of the request's version judges what the client wrote, and
// admission what will be stored. Elsewhere both are one document and this only passes calls on.
#pragma once

#include "apiserver/registry/kinds.hpp"

#include <optional>

namespace ingot::apiserver {

class VersionedWrite {
 public:
  // `old`: the object of before as the request's version shows it; nullptr on create. `kind` and `context` are lent.
  VersionedWrite(const Kind& kind, const WriteContext& context, const json::Value* old);

  // Converts the prepared `object` to the storage version. Throws ApiError: 422 when an object that cannot be converted
  // also breaks its own schema, else the error of the conversion.
  void toStorage(json::Value& object, const std::string& name);

  // The rules' last chance to change what will be stored; the schema then judges the result.
  void mutate(json::Value& stored, const json::Value* old, Warnings& warnings);

  [[nodiscard]] std::vector<StatusCause> validate(const json::Value& stored, const json::Value* old,
                                                  Warnings& warnings) const;

 private:
  const Kind& kind_;
  const WriteContext& context_;
  bool converts_;
  std::optional<json::Value> object_, old_;  // in the request's version; only where the kind converts
};

}  // namespace ingot::apiserver
