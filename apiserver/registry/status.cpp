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

StatusCause requiredValue(std::string field, std::string_view detail) {
  return {"FieldValueRequired", detail.empty() ? "Required value" : fmt::format("Required value: {}", detail),
          std::move(field)};
}

StatusCause invalidValue(std::string field, std::string_view value, std::string_view detail) {
  return {"FieldValueInvalid", fmt::format("Invalid value: {}: {}", value, detail), std::move(field)};
}

StatusCause forbiddenValue(std::string field, std::string_view detail) {
  return {"FieldValueForbidden", fmt::format("Forbidden: {}", detail), std::move(field)};
}

StatusCause unsupportedValue(std::string field, std::string_view value, const std::vector<std::string>& supported) {
  std::string choices;
  for (const auto& choice : supported) choices += fmt::format("{}\"{}\"", choices.empty() ? "" : ", ", choice);
  return {"FieldValueNotSupported", fmt::format("Unsupported value: {}: supported values: {}", value, choices),
          std::move(field)};
}

StatusCause tooLong(std::string field, std::size_t bytes) {
  return {"FieldValueTooLong", fmt::format("Too long: may not be more than {} byte{}", bytes, bytes == 1 ? "" : "s"),
          std::move(field)};
}

StatusCause duplicateValue(std::string field, std::string_view value) {
  return {"FieldValueDuplicate", fmt::format("Duplicate value: {}", value), std::move(field)};
}

}  // namespace ingot::apiserver
