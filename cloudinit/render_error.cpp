#include "cloudinit/render_error.hpp"

#include "json/value.hpp"

namespace ingot::cloudinit {

namespace {

// Quoted, on one line, not longer than a line.
std::string shown(std::string_view value) {
  constexpr std::size_t kMost = 80;
  std::string text(value.substr(0, kMost));
  if (value.size() > kMost) text += "...";
  return json::serialize(json::Value(text));
}

std::string described(const Field& field, std::string_view value, const std::string& reason) {
  return field.path() + (value.empty() ? "" : " " + shown(value)) + ": " + reason;
}

}  // namespace

RenderError::RenderError(const Field& field, std::string_view value, const std::string& reason)
    : Error(described(field, value, reason)), field_(field.path()), reason_(reason) {}

}  // namespace ingot::cloudinit
