#include "ironic-client/version.hpp"

#include "ironic-client/error.hpp"

#include <fmt/format.h>

#include <charconv>

namespace ingot::ironic {

namespace {

constexpr int oldestMinor = 89;

const json::Value* versionObject(const json::Value& document) {
  if (const json::Value* one = json::find(document, {"version"}); one && one->is_object()) return one;
  const json::Array* all = json::arrayAt(document, {"versions"});
  return all && all->size() == 1 ? &all->front() : nullptr;
}

struct Version {
  int major = 0, minor = 0;
};

std::optional<Version> parseVersion(std::string_view text) {
  Version out;
  const char* const last = text.data() + text.size();
  const auto [dot, first] = std::from_chars(text.data(), last, out.major);
  if (first != std::errc() || dot == last || *dot != '.') return std::nullopt;
  const auto [end, second] = std::from_chars(dot + 1, last, out.minor);
  if (second != std::errc() || end != last) return std::nullopt;
  return out;
}

}  // namespace

int Features::chosenMinor() const {
  for (const int minor : {110, 109, 95, 93})
    if (maxMinor >= minor) return minor;
  return oldestMinor;
}

std::string Features::microversion() const { return fmt::format("1.{}", chosenMinor()); }

Features negotiate(const json::Value& versionDocument) {
  const json::Value* object = versionObject(versionDocument);
  if (!object) throw Error(Error::Code::unreadable, "the answer is not an Ironic version document");
  std::string text = json::textAt(*object, {"version"});
  if (text.empty()) text = json::textAt(*object, {"max_version"});
  const auto newest = parseVersion(text);
  if (!newest) throw Error(Error::Code::unreadable, fmt::format("\"{}\" is not an Ironic API version", text));
  if (newest->major != 1 || newest->minor < oldestMinor)
    throw Error(Error::Code::tooOld, fmt::format("ironic API 1.{} or newer is required, got {}.{}", oldestMinor,
                                                 newest->major, newest->minor));
  return {.maxMinor = newest->minor};
}

}  // namespace ingot::ironic
