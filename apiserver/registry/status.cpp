#include "apiserver/registry/status.hpp"

namespace ingot::apiserver {
namespace {

json::Value toJson(const StatusCause& cause) {
  json::Object out;
  if (!cause.reason.empty()) out["reason"] = cause.reason;
  if (!cause.message.empty()) out["message"] = cause.message;
  if (!cause.field.empty()) out["field"] = cause.field;
  return out;
}

json::Value toJson(const StatusDetails& details) {
  json::Object out;
  if (!details.name.empty()) out["name"] = details.name;
  if (!details.group.empty()) out["group"] = details.group;
  if (!details.kind.empty()) out["kind"] = details.kind;
  if (!details.uid.empty()) out["uid"] = details.uid;
  if (!details.causes.empty()) {
    json::Array causes;
    for (const auto& cause : details.causes) causes.push_back(toJson(cause));
    out["causes"] = std::move(causes);
  }
  if (details.retryAfterSeconds > 0) out["retryAfterSeconds"] = details.retryAfterSeconds;
  return out;
}

}  // namespace

json::Value Status::toJson() const {
  json::Object metadata;
  if (!continueToken.empty()) metadata["continue"] = continueToken;
  json::Object out;
  out["kind"] = "Status";
  out["apiVersion"] = "v1";
  out["metadata"] = std::move(metadata);
  out["status"] = success ? "Success" : "Failure";
  if (!message.empty()) out["message"] = message;
  if (!reason.empty()) out["reason"] = reason;
  if (details) out["details"] = apiserver::toJson(*details);
  if (!success) out["code"] = code;
  return out;
}

}  // namespace ingot::apiserver
