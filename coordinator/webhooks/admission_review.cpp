#include "coordinator/webhooks/admission_review.hpp"

#include "base/base64.hpp"
#include "coordinator/webhooks/json_patch.hpp"

namespace ingot::coordinator::webhooks {
namespace {

constexpr ReviewKind admissionReview{.apiVersion = "admission.k8s.io/v1", .kind = "AdmissionReview"};

// The request does not belong to the path that it came to, or lacks something.
class WrongRequest final : public base::Error {
 public:
  using Error::Error;
};

json::Object denial(const apiserver::Status& status, const std::vector<std::string>& warnings = {}) {
  json::Object out{{"allowed", false}, {"status", status.toJson()}};
  if (!warnings.empty()) out["warnings"] = json::Array(warnings.begin(), warnings.end());
  return out;
}

apiserver::Operation operationIn(const json::Value& request) {
  const std::string operation = json::textAt(request, {"operation"});
  if (operation == "CREATE") return apiserver::Operation::create;
  if (operation == "UPDATE") return apiserver::Operation::update;
  if (operation == "DELETE") return apiserver::Operation::remove;
  throw WrongRequest(fmt::format("operation \"{}\" is none of CREATE, UPDATE and DELETE", operation));
}

const json::Value& objectAt(const json::Value& request, std::string_view member, const kube::KindInfo& kind) {
  const json::Value* object = json::find(request, {member});
  if (!object || !object->is_object()) throw WrongRequest(fmt::format("{} is missing", member));
  const std::string apiVersion = json::textAt(*object, {"apiVersion"}), name = json::textAt(*object, {"kind"});
  if (apiVersion != kind.apiVersion() || name != kind.kind)
    throw WrongRequest(
        fmt::format("{} is a {} of {}, and {} of {} are judged here (matchPolicy Equivalent has others converted)",
                    member, name, apiVersion, kind.plural, kind.apiVersion()));
  return *object;
}

json::Object patchAnswer(const json::Array& operations) {
  json::Object out{{"allowed", true}};
  if (operations.empty()) return out;
  out["patchType"] = "JSONPatch";
  out["patch"] = base::toBase64(json::serialize(operations));
  return out;
}

json::Object mutated(const api::KindRow& kind, const json::Value& object) {
  json::Value defaulted = object;
  setDefaults(kind, defaulted);
  return patchAnswer(patchBetween(object, defaulted));
}

json::Object judged(const api::KindRow& kind, const Question& question, const OtherObjects& others) {
  const Ruling ruling = judge(kind, question, others);
  if (ruling.refusal) return denial(*ruling.refusal, ruling.warnings);
  json::Object out{{"allowed", true}};
  if (!ruling.warnings.empty()) out["warnings"] = json::Array(ruling.warnings.begin(), ruling.warnings.end());
  return out;
}

// As in the embedded API nothing but the object itself is judged: no /status.
json::Object responseTo(const json::Value& request, const AdmissionPath& path, const OtherObjects& others) {
  const kube::KindInfo& kind = *path.kind.stored;
  const auto operation = operationIn(request);
  const bool removal = operation == apiserver::Operation::remove;
  const json::Value& object = objectAt(request, removal ? "oldObject" : "object", kind);
  if (!json::textAt(request, {"subResource"}).empty()) return {{"allowed", true}};
  if (path.type == Type::mutating) return removal ? json::Object{{"allowed", true}} : mutated(path.kind, object);
  const bool update = operation == apiserver::Operation::update;
  return judged(
      path.kind,
      {.operation = operation, .object = object, .before = update ? &objectAt(request, "oldObject", kind) : nullptr},
      others);
}

}  // namespace

json::Value answer(const json::Value& review, const AdmissionPath& path, const OtherObjects& others) {
  const json::Value& request = requestOf(review, admissionReview);
  try {
    return reviewWith(admissionReview, request, responseTo(request, path, others));
  } catch (const WrongRequest& problem) {
    const std::string text = fmt::format("{}: {}", path.path, problem.what());
    return reviewWith(admissionReview, request, denial({.code = 400, .reason = "BadRequest", .message = text}));
  }
}

json::Value refusalOf(const json::Value& review, const std::string& why) {
  return reviewWith(admissionReview, requestOf(review, admissionReview),
                    denial({.code = 500, .reason = "InternalError", .message = why}));
}

}  // namespace ingot::coordinator::webhooks
