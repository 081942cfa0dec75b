#include "kube/runtime/draft.hpp"

namespace ingot::kube {
namespace {

constexpr std::string_view kStatus = "status";

struct Halves {
  json::Value main, status;  // status: null when there is none
};

Halves split(const json::Value& object) {
  Halves out{.main = object, .status = nullptr};
  if (!out.main.is_object()) return out;
  json::Object& members = out.main.get_object();
  if (json::Value* status = members.if_contains(kStatus)) {
    out.status = std::move(*status);
    members.erase(kStatus);
  }
  return out;
}

json::Value statusPatch(const json::Value& before, const json::Value& after, const json::Value& document) {
  if (json::equal(before, after)) return json::Object();
  return json::Object{{kStatus, json::mergePatchKeeping(before, after, document)}};
}

}  // namespace

DraftPatches planPatches(const json::Value& before, const json::Value& after, const json::Value* document,
                         bool statusSubresource) {
  const json::Value& raw = document ? *document : before;
  if (!statusSubresource) return {.main = json::mergePatchKeeping(before, after, raw), .status = json::Object()};
  const Halves from = split(before), to = split(after), known = split(raw);
  return {.main = json::mergePatchKeeping(from.main, to.main, known.main),
          .status = statusPatch(from.status, to.status, known.status)};
}

void guardPatch(json::Value& patch, const std::string& resourceVersion) {
  json::makeObjectAt(patch, {"metadata"})["resourceVersion"] = resourceVersion;
}

}  // namespace ingot::kube
