#include "api/bmh/rules/rules.hpp"
#include "base/text.hpp"

namespace ingot::api::rules {

namespace {

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

// xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx
bool isDashedUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : base::hexDigit(text[i]) < 0) return false;
  }
  return true;
}

// What upstream's UUID library reads, which looks only at the length of a form with braces around it.
bool readsAsUuid(std::string_view text) {
  if (text.size() == 32) return std::ranges::all_of(text, [](char c) { return base::hexDigit(c) >= 0; });
  if (text.size() == 38) return isDashedUuid(text.substr(1, 36));
  return isDashedUuid(text);
}

}  // namespace

void name(const BareMetalHost& host, Errors& errors) {
  if (!std::ranges::all_of(host.metadata.name, isNameCharacter)) {
    errors.emplace_back("BareMetalHost resource name cannot contain characters other than [A-Za-z0-9._-]");
  } else if (readsAsUuid(host.metadata.name)) {
    errors.emplace_back("BareMetalHost resource name cannot be a UUID");  // Ironic would take it for a node's
  }
}

}  // namespace ingot::api::rules
