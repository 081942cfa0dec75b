#include "kube/runtime/served_versions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::kube {
namespace {

constexpr std::size_t kMostVersions = 16;

struct GroupVersion {
  std::string version;
  static void describe(auto& v) { v.field("version", &GroupVersion::version); }
};

struct ApiGroup {
  std::vector<GroupVersion> versions;
  static void describe(auto& v) { v.field("versions", &ApiGroup::versions); }
};

struct ApiResource {
  std::string name;
  static void describe(auto& v) { v.field("name", &ApiResource::name); }
};

struct ApiResources {
  std::vector<ApiResource> resources;
  static void describe(auto& v) { v.field("resources", &ApiResources::resources); }
};

// What is not there is as good as an empty one.
template <class T>
base::Task<T> ask(Api& api, std::string path) {
  try {
    co_return json::decode<T>(co_await api.raw("GET", path));
  } catch (const Error& e) {
    if (e.code() != Error::Code::notFound) throw;
  } catch (const json::DecodeError& e) {
    throw Error(Error::Code::badAnswer, path + ": " + e.what());
  }
  co_return T{};
}

}  // namespace

base::Task<std::vector<std::string>> servedVersions(Api& api, Resource resource) {
  std::vector<std::string> served;
  if (resource.group.empty()) co_return served;  // as old as the server
  const std::string root = "/apis/" + resource.group;
  const auto group = co_await ask<ApiGroup>(api, root);
  for (std::size_t i = 0; i < std::min(group.versions.size(), kMostVersions); ++i) {
    const std::string& version = group.versions[i].version;
    const auto all = co_await ask<ApiResources>(api, fmt::format("{}/{}", root, version));
    if (std::ranges::find(all.resources, resource.plural, &ApiResource::name) != all.resources.end())
      served.push_back(version);
  }
  co_return served;
}

}  // namespace ingot::kube
