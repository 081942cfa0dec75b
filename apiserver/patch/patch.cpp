#include "apiserver/patch/patch.hpp"

#include "apiserver/patch/strategic_merge.hpp"
#include "apiserver/registry/errors.hpp"
#include "json/patch.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::size_t kMostOperations = 10'000;

ApiError notApplicable() {
  Status status{
      .code = 422, .reason = "Invalid", .message = "the server rejected our request due to an error in our request"};
  status.details.emplace();
  return ApiError(std::move(status));
}

ApiError tooManyOperations(std::size_t count) {
  Status status{.code = 413, .reason = "RequestEntityTooLarge"};
  status.message = fmt::format("Request entity too large: The allowed maximum operations in a JSON patch is {}, got {}",
                               kMostOperations, count);
  return ApiError(std::move(status));
}

void applyOperations(const json::Value& patch, json::Value& object) {
  try {
    json::applyJsonPatch(object, patch, {.replaceAdds = true});
  } catch (const json::PatchError&) {
    throw notApplicable();
  }
}

}  // namespace

void checkPatch(PatchType type, const json::Value& patch) {
  const bool wantsArray = type == PatchType::json;
  if (wantsArray && !patch.is_array())
    throw badRequest(
        fmt::format("error decoding patch: json: cannot unmarshal {} into Go value of type []handlers.jsonPatchOp",
                    json::kindName(patch)));
  if (!wantsArray && !patch.is_object())
    throw badRequest(
        fmt::format("error decoding patch: json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
                    json::kindName(patch)));
  if (wantsArray && patch.get_array().size() > kMostOperations) throw tooManyOperations(patch.get_array().size());
}

void applyPatch(PatchType type, std::string_view kind, const json::Value& patch, json::Value& object) {
  switch (type) {
    case PatchType::merge: return json::applyMergePatch(object, patch);
    case PatchType::json: return applyOperations(patch, object);
    case PatchType::strategic: return applyStrategicMerge(kind, patch, object);
  }
}

}  // namespace ingot::apiserver
