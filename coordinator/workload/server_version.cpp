#include "coordinator/workload/server_version.hpp"

#include <charconv>
#include <string>

namespace ingot::coordinator::workload {
namespace {

std::optional<unsigned> leadingNumber(const std::string& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<ServerVersion> serverVersionIn(const json::Value& answer) {
  const auto major = leadingNumber(json::textAt(answer, {"major"}));
  const auto minor = leadingNumber(json::textAt(answer, {"minor"}));
  if (!major || !minor) return std::nullopt;
  return ServerVersion{*major, *minor};
}

}  // namespace ingot::coordinator::workload
