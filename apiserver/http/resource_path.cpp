#include "apiserver/http/resource_path.hpp"

#include "apiserver/discovery/virtual_resources.hpp"
#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {

namespace {

bool knowsSubresource(const ResourceInfo& info, const std::string& name) {
  if (name.empty()) return true;
  if (name == "status") return info.custom || info.hasStatus(info.versions.front().name);
  return name == "finalize" && info.group.empty() && info.plural == "namespaces";
}

}  // namespace

bool leadsToObjects(const Route& route, std::string_view method, const ResourceInfo* info) {
  if (!info) return false;
  const ServedVersion* version = info->findVersion(route.target.version);
  if (!version || !version->served || !knowsSubresource(*info, route.target.subresource)) return false;
  if (info->namespaced == route.namespaced) return true;
  // All namespaces at once: lists and watches only. (A core kind answers other methods there with 405.)
  return info->namespaced && route.target.name.empty() && (method == "GET" || !info->custom);
}

bool isCustomGroup(const Registry& registry, std::string_view group) {
  for (const auto& one : virtualResources())
    if (one.group == group) return false;
  for (const auto& info : registry.resources())
    if (info->group == group && !info->custom) return false;
  return true;
}

ApiError wrongMethod(const ResourceInfo& info, std::string_view method, bool collection) {
  if (!info.custom) return methodNotAllowed();
  if (collection && (method == "PUT" || method == "PATCH")) return badRequest("name must be provided");
  Status status{.code = 405, .reason = "MethodNotAllowed"};
  status.message = fmt::format(" is not supported on resources of kind \"{}\"", info.id().text());
  status.details = StatusDetails{.group = info.group, .kind = info.plural};
  return ApiError(std::move(status));
}

}  // namespace ingot::apiserver
