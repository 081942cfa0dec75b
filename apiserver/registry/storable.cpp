#include "apiserver/registry/storable.hpp"

#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {
namespace {

ApiError refusalOf(const ObjectError& problem) {
  switch (problem.code()) {
    case ObjectError::Code::tooLarge: return entityTooLarge();
    case ObjectError::Code::tooDeep:
    case ObjectError::Code::notText: return badRequest(problem.what());
  }
  std::unreachable();
}

constexpr std::size_t kMarks = 256;  // deletionTimestamp and its like, a finalizer of the server's own

}  // namespace

ObjectLimits limitsAfter(const Object& before) {
  ObjectLimits limits;
  limits.bytes = std::max(limits.bytes, before.body.size());
  return limits;
}

ObjectLimits limitsOfDeletion(const Object& before) {
  return {.bytes = limitsAfter(before).bytes + kMarks, .depth = kReadable.depth};
}

ObjectPtr storable(json::Value& document, Revision revision, ObjectLimits limits) {
  try {
    return makeObject(document, revision, limits);
  } catch (const ObjectError& problem) {
    throw refusalOf(problem);
  }
}

Store::Build storing(json::Value document, ObjectLimits limits) {
  auto shared = std::make_shared<json::Value>(std::move(document));
  return [shared, limits](Revision revision) { return storable(*shared, revision, limits); };
}

}  // namespace ingot::apiserver
