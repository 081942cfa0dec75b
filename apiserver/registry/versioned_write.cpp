#include "apiserver/registry/versioned_write.hpp"

#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {

VersionedWrite::VersionedWrite(const Kind& kind, const WriteContext& context, const json::Value* old)
    : kind_(kind), context_(context), converts_(kind.converts(context.version)) {
  if (converts_ && old) old_.emplace(*old);
}

void VersionedWrite::toStorage(json::Value& object, const std::string& name) {
  if (!converts_) return kind_.toStorage(object, context_.version);
  object_.emplace(object);
  try {
    kind_.toStorage(object, context_.version);
  } catch (const ApiError&) {
    Warnings unheard;
    auto causes = kind_.validate(*object_, old_ ? &*old_ : nullptr, context_, unheard);
    if (causes.empty()) throw;
    throw invalid(kind_.info, name, std::move(causes));
  }
}

void VersionedWrite::mutate(json::Value& stored, const json::Value* old, Warnings& warnings) {
  if (!converts_) return kind_.mutate(stored, old, context_, warnings);
  const json::Value before = stored;
  kind_.mutate(stored, old, context_, warnings);
  if (json::equal(before, stored)) return;
  object_.emplace(stored);
  kind_.fromStorage(*object_, context_.version);
}

std::vector<StatusCause> VersionedWrite::validate(const json::Value& stored, const json::Value* old,
                                                  Warnings& warnings) const {
  if (!converts_) return kind_.validate(stored, old, context_, warnings);
  return kind_.validate(*object_, old_ ? &*old_ : nullptr, context_, warnings);
}

}  // namespace ingot::apiserver
