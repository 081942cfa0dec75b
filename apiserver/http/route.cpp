#include "apiserver/http/route.hpp"

#include "net/url.hpp"

namespace ingot::apiserver {

namespace {

using Segments = std::vector<std::string>;

// A doubled slash gives an empty segment in the middle, which no route has; one slash at the end is forgiven.
Segments split(std::string_view path) {
  Segments out;
  if (path.starts_with('/')) path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  while (!path.empty()) {
    const auto slash = path.find('/');
    out.push_back(net::percentDecode(path.substr(0, slash)));
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
    if (path.empty()) out.emplace_back();
  }
  return out;
}

// What follows the version: [watch/] [namespaces/{ns}/] resource [/name [/subresource]].
Route resourceRoute(Route route, std::span<const std::string> rest) {
  if (rest.size() > 1 && rest[0] == "watch") {
    route.watch = true;
    rest = rest.subspan(1);
  }
  const bool inSpace = rest.size() >= 3 && rest[0] == "namespaces";
  const bool ofNamespace =
      inSpace && route.target.group.empty() && rest.size() == 3 && (rest[2] == "status" || rest[2] == "finalize");
  if (inSpace && !ofNamespace) {
    route.namespaced = true;
    route.target.space = rest[1];
    rest = rest.subspan(2);
  }
  if (rest.empty() || rest.size() > 3) return {};
  for (const auto& segment : rest)
    if (segment.empty()) return {};
  if (route.namespaced && route.target.space.empty()) return {};
  route.to = Route::To::resource;
  route.target.resource = rest[0];
  if (rest.size() > 1) route.target.name = rest[1];
  if (rest.size() > 2) route.target.subresource = rest[2];
  return route;
}

Route discoveryOrResource(std::string group, std::span<const std::string> rest) {
  Route route;
  route.target.group = std::move(group);
  route.target.version = rest[0];
  if (rest.size() > 1) return resourceRoute(std::move(route), rest.subspan(1));
  route.to = Route::To::groupVersion;
  return route;
}

Route apisRoute(std::span<const std::string> rest) {
  if (rest.empty()) return {.to = Route::To::groups};
  if (rest.size() == 1) return {.to = Route::To::group, .target = {.group = rest[0]}};
  return discoveryOrResource(rest[0], rest.subspan(1));
}

Route openApiRoute(std::span<const std::string> rest) {
  if (rest.empty() || rest[0] != "v3") return {};
  if (rest.size() == 1) return {.to = Route::To::openApiIndex};
  std::string path;
  for (const auto& segment : rest.subspan(1)) path += (path.empty() ? "" : "/") + segment;
  return {.to = Route::To::openApiDocument, .detail = std::move(path)};
}

}  // namespace

Route routeOf(std::string_view path) {
  const Segments all = split(path);
  if (all.empty()) return {.to = Route::To::root};
  const std::span<const std::string> rest = std::span(all).subspan(1);
  if (all[0] == "api") return rest.empty() ? Route{.to = Route::To::core} : discoveryOrResource("", rest);
  if (all[0] == "apis") return apisRoute(rest);
  if (all[0] == "openapi") return openApiRoute(rest);
  if (!rest.empty()) return {};
  if (all[0] == "version") return {.to = Route::To::version};
  if (all[0] == "livez" || all[0] == "readyz" || all[0] == "healthz")
    return {.to = Route::To::health, .detail = all[0]};
  return {};
}

}  // namespace ingot::apiserver
