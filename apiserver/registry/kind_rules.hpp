// What a kind adds to the common object semantics. Schemas (apiserver/schema) and admission of our own kinds are
// injected through this; rules of one kind run in the order in which they were added.
#pragma once

#include "apiserver/registry/status.hpp"
#include "json/value.hpp"

#include <string>
#include <vector>

namespace ingot::apiserver {

enum class Operation { create, update, remove };
enum class FieldValidation { warn, strict, ignore };

struct WriteContext {
  Operation operation = Operation::create;
  std::string version;      // of the request: v1alpha1
  std::string subresource;  // "", "status", "finalize" …
  FieldValidation fieldValidation = FieldValidation::warn;
  bool patch = false;
  bool dryRun = false;
  bool replay = false;  // the write lost a race and is decided again: warnings were given already
  std::string user;
};

using Warnings = std::vector<std::string>;

class KindRules {
 public:
  virtual ~KindRules() = default;

  // Drops unknown fields and fills in defaults, in place; called on the object as the client sent it (or as its patch
  // left it) and before anything is compared. Throws ApiError under FieldValidation::strict.
  virtual void prepare(json::Value& /*object*/, const WriteContext&, Warnings&) const {}

  // Last chance to change the object. `old` is nullptr on create. May throw ApiError.
  virtual void mutate(json::Value& /*object*/, const json::Value* /*old*/, const WriteContext&, Warnings&) const {}

  // Every cause becomes part of one 422. `old` is nullptr on create. Both are in the version of the request where the
  // kind converts(), else as they are stored. May throw ApiError for other refusals.
  [[nodiscard]] virtual std::vector<StatusCause> validate(const json::Value& /*object*/, const json::Value* /*old*/,
                                                          const WriteContext&, Warnings&) const {
    return {};
  }

  // Whether an object in which nothing else is wrong may be stored; both as they are stored. Throws ApiError to refuse.
  virtual void admit(const json::Value& /*object*/, const json::Value* /*old*/, const WriteContext&, Warnings&) const {}

  // Before a DELETE does anything. Throws ApiError to refuse.
  virtual void admitDelete(const json::Value& /*object*/, const WriteContext&, Warnings&) const {}

  // Between the version of the request and the storage version; apiVersion itself is set by the registry. Throws
  // ApiError for an object that cannot be converted.
  virtual void toStorage(json::Value& /*object*/, const std::string& /*version*/) const {}
  virtual void fromStorage(json::Value& /*object*/, const std::string& /*version*/) const {}
  // Bodies in `version` have a schema of their own and differ from the stored ones by more than apiVersion.
  [[nodiscard]] virtual bool converts(const std::string& /*version*/) const { return false; }
};

}  // namespace ingot::apiserver
