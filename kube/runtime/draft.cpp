#include "kube/runtime/draft.hpp"

namespace ingot::kube {
namespace {

constexpr std::string_view kStatus = "status";

const json::Value kNone;

// Takes the status out of an object; null when it has none.
json::Value takeStatus(json::Value& object) {
  if (!object.is_object()) return nullptr;
  json::Object& members = object.get_object();
  json::Value* found = members.if_contains(kStatus);
  if (!found) return nullptr;
  json::Value status = std::move(*found);
  members.erase(kStatus);
  return status;
}

json::Value statusPatch(const json::Value& before, const json::Value& after, const json::Value& raw) {
  if (json::equal(before, after)) return json::Object();
  return json::Object{{kStatus, json::mergePatchKeeping(before, after, raw)}};
}

const json::Value& statusOf(const json::Value& document) {
  const json::Value* found = json::find(document, {kStatus});
  return found ? *found : kNone;
}

}  // namespace

DraftPatches planPatches(json::Differences what, const json::Value* document, bool statusSubresource) {
  auto& [before, after] = what;
  json::Value from, to;  // the status, where it is patched by itself
  if (statusSubresource) from = takeStatus(before), to = takeStatus(after);
  return {.main = json::mergePatchKeeping(before, after, document ? *document : before),
          .status = statusPatch(from, to, document ? statusOf(*document) : from)};
}

void guardPatch(json::Value& patch, const std::string& resourceVersion) {
  json::makeObjectAt(patch, {"metadata"})["resourceVersion"] = resourceVersion;
}

}  // namespace ingot::kube
