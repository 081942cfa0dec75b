#include "kube/core/causes.hpp"

#include <fmt/ranges.h>

namespace ingot::kube {

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
  std::vector<std::string> choices;
  choices.reserve(supported.size());
  for (const auto& choice : supported) choices.push_back(jsonText(choice));
  return {"FieldValueNotSupported",
          fmt::format("Unsupported value: {}: supported values: {}", value, fmt::join(choices, ", ")),
          std::move(field)};
}

StatusCause tooLong(std::string field, std::size_t bytes) {
  return {"FieldValueTooLong", fmt::format("Too long: may not be more than {} byte{}", bytes, bytes == 1 ? "" : "s"),
          std::move(field)};
}

StatusCause duplicateValue(std::string field, std::string_view value) {
  return {"FieldValueDuplicate", fmt::format("Duplicate value: {}", value), std::move(field)};
}

std::string inOneLine(const std::vector<std::string>& errors) {
  std::vector<std::string> different;
  for (const auto& error : errors)
    if (std::ranges::find(different, error) == different.end()) different.push_back(error);
  if (different.size() == 1) return different.front();
  return different.empty() ? "" : fmt::format("[{}]", fmt::join(different, ", "));
}

std::string inOneLine(const std::vector<StatusCause>& causes) {
  std::vector<std::string> errors;
  errors.reserve(causes.size());
  for (const auto& cause : causes) errors.push_back(fmt::format("{}: {}", cause.field, cause.message));
  return inOneLine(errors);
}

std::string jsonText(std::string_view text) { return json::serialize(json::Value(text)); }

}  // namespace ingot::kube
