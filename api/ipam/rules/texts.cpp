#include "api/ipam/rules/texts.hpp"

#include "base/ip_address.hpp"

#include <fmt/format.h>

namespace ingot::api::ipam::rules {

void requireAddress(FieldErrors& errors, std::string field, const std::string& text) {
  if (text.empty() || base::IpAddress::parse(text)) return;
  errors.invalid(std::move(field), text, "is not a valid IP address");
}

void requireAddresses(FieldErrors& errors, const std::string& field, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) requireAddress(errors, fmt::format("{}[{}]", field, i), texts[i]);
}

void requireText(FieldErrors& errors, std::string field, const std::string& text) {
  if (text.empty()) errors.invalid(std::move(field), text, "cannot be empty");
}

void requireRequestedAddress(FieldErrors& errors, const kube::ObjectMeta& metadata) {
  if (const auto* text = metadata.annotation(std::string(kRequestedAddress)))
    requireAddress(errors, "metadata.annotations.ipAddress", *text);
}

void requireSame(FieldErrors& errors, std::string field, const kube::ObjectReference& before,
                 const kube::ObjectReference& after) {
  if (before.name == after.name && before.namespace_ == after.namespace_ && before.kind == after.kind) return;
  errors.invalidObject(std::move(field), json::encode(after), "cannot be modified");
}

}  // namespace ingot::api::ipam::rules
