#include "apiserver/registry/resource_info.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace ingot::apiserver {
namespace {

// v<major>[alpha|beta<minor>]: (recognised, stability, major, minor), greater is preferred.
std::tuple<bool, int, int, int> rank(std::string_view version) {
  const auto number = [&](std::string_view& text) {
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0) return -1;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  };
  if (!version.starts_with('v')) return {};
  version.remove_prefix(1);
  const int major = number(version);
  if (major < 0) return {};
  if (version.empty()) return {true, 2, major, 0};
  const int stability = version.starts_with("beta") ? 1 : 0;
  if (!stability && !version.starts_with("alpha")) return {};
  version.remove_prefix(stability ? 4 : 5);
  const int minor = number(version);
  if (minor < 0 || !version.empty()) return {};
  return {true, stability, major, minor};
}

}  // namespace

std::string GroupResource::text() const { return group.empty() ? resource : resource + "." + group; }

std::string ResourceInfo::apiVersion(std::string_view version) const {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

const ServedVersion* ResourceInfo::findVersion(std::string_view version) const {
  const auto at = std::find_if(versions.begin(), versions.end(), [&](const auto& v) { return v.name == version; });
  return at == versions.end() ? nullptr : &*at;
}

bool ResourceInfo::offers(std::string_view verb) const {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

bool ResourceInfo::hasStatus(std::string_view version) const {
  const auto* found = findVersion(version);
  return found && found->statusSubresource;
}

GroupVersion GroupVersion::parse(std::string_view apiVersion) {
  const auto slash = apiVersion.find('/');
  if (slash == std::string_view::npos) return {"", std::string(apiVersion)};
  return {std::string(apiVersion.substr(0, slash)), std::string(apiVersion.substr(slash + 1))};
}

bool precedesVersion(std::string_view a, std::string_view b) {
  const auto left = rank(a), right = rank(b);
  if (left != right) return left > right;
  return a < b;
}

}  // namespace ingot::apiserver
