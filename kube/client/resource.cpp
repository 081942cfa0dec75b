#include "kube/client/resource.hpp"

#include "net/url.hpp"

namespace ingot::kube {
namespace {

std::string root(const Resource& r) {
  return r.group.empty() ? "/api/" + r.version : "/apis/" + r.group + "/" + r.version;
}

std::string basePath(const Resource& r, std::string_view namespace_) {
  std::string out = root(r);
  if (r.namespaced && !namespace_.empty()) out += "/namespaces/" + net::percentEncode(namespace_);
  return out + "/" + r.plural;
}

std::string queryText(const Query& query) {
  std::string out;
  for (const auto& [name, value] : query) {
    if (value.empty()) continue;
    out += out.empty() ? '?' : '&';
    out += name + "=" + net::percentEncode(value);
  }
  return out;
}

}  // namespace

Resource Resource::of(const KindInfo& info) {
  return {.group = std::string(info.group),
          .version = std::string(info.version),
          .kind = std::string(info.kind),
          .plural = std::string(info.plural),
          .namespaced = info.namespaced};
}

std::string Resource::apiVersion() const { return group.empty() ? version : group + "/" + version; }
std::string Resource::name() const { return group.empty() ? plural : plural + "." + group; }

std::string collectionPath(const Resource& r, std::string_view namespace_, const Query& query) {
  return basePath(r, namespace_) + queryText(query);
}

std::string objectPath(const Resource& r, const ObjectKey& key, std::string_view subresource, const Query& query) {
  std::string out = basePath(r, key.namespace_) + "/" + net::percentEncode(key.name);
  if (!subresource.empty()) out += "/" + std::string(subresource);
  return out + queryText(query);
}

}  // namespace ingot::kube
