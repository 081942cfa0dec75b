#include "api/field_errors.hpp"

#include "api/go_json.hpp"
#include "base/url_text.hpp"
#include "kube/core/causes.hpp"

#include <fmt/format.h>

namespace ingot::api {

void FieldErrors::invalid(std::string field, std::string_view value, std::string_view problem) {
  all_.push_back({.reason = "FieldValueInvalid",
                  .message = fmt::format("Invalid value: {}: {}", base::url_text::quoted(value), problem),
                  .field = std::move(field)});
}

void FieldErrors::invalidObject(std::string field, const json::Value& value, std::string_view problem) {
  all_.push_back({.reason = "FieldValueInvalid",
                  .message = fmt::format("Invalid value: {}: {}", escapedAsGo(json::serialize(value)), problem),
                  .field = std::move(field)});
}

void FieldErrors::required(std::string field, std::string_view problem) {
  all_.push_back({.reason = "FieldValueRequired",
                  .message = fmt::format("Required value: {}", problem),
                  .field = std::move(field)});
}

void FieldErrors::forbidden(std::string field, std::string_view problem) {
  all_.push_back(
      {.reason = "FieldValueForbidden", .message = fmt::format("Forbidden: {}", problem), .field = std::move(field)});
}

std::string FieldErrors::message(std::string_view groupKind, std::string_view name) const {
  std::vector<std::string> errors;
  errors.reserve(all_.size());
  for (const auto& error : all_) errors.push_back(error.field + ": " + error.message);
  return fmt::format("{} {} is invalid: {}", groupKind, base::url_text::quoted(name), kube::inOneLine(errors));
}

}  // namespace ingot::api
