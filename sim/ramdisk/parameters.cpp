#include "sim/ramdisk/parameters.hpp"

namespace ingot::sim::ramdisk {

namespace {

constexpr std::string_view ends{" \t\r\n\0\"'", 7};

// The value of the first `name=value`; "" when there is none.
std::string valueOf(std::string_view text, std::string_view name) {
  const std::string key = std::string(name) + "=";
  const auto at = text.find(key);
  if (at == text.npos) return {};
  text.remove_prefix(at + key.size());
  return std::string(text.substr(0, text.find_first_of(ends)));
}

}  // namespace

std::optional<Parameters> findParameters(std::string_view prepared) {
  Parameters found{.apiUrl = valueOf(prepared, "ipa-api-url"),
                   .inspectionCallback = valueOf(prepared, "ipa-inspection-callback-url"),
                   .agentToken = valueOf(prepared, "ipa-agent-token")};
  if (found.apiUrl.empty() && found.inspectionCallback.empty()) return std::nullopt;
  return found;
}

}  // namespace ingot::sim::ramdisk
