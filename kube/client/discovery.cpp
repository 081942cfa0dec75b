#include "kube/client/discovery.hpp"

#include "base/text.hpp"
#include "json/describe.hpp"

#include <cctype>

namespace ingot::kube {
namespace {

constexpr const char* kAccept =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

struct ResponseKind {
  std::string kind;
  static void describe(auto& v) { v.field("kind", &ResponseKind::kind); }
};

struct Subresource {
  std::string subresource;
  static void describe(auto& v) { v.field("subresource", &Subresource::subresource); }
};

struct ServedResource {
  std::string resource, scope, singularResource;
  ResponseKind responseKind;
  std::vector<std::string> verbs, shortNames, categories;
  std::vector<Subresource> subresources;

  static void describe(auto& v) {
    v.field("resource", &ServedResource::resource);
    v.field("scope", &ServedResource::scope);
    v.field("singularResource", &ServedResource::singularResource);
    v.field("responseKind", &ServedResource::responseKind);
    v.field("verbs", &ServedResource::verbs);
    v.field("shortNames", &ServedResource::shortNames);
    v.field("categories", &ServedResource::categories);
    v.field("subresources", &ServedResource::subresources);
  }
};

struct ServedVersion {
  std::string version;
  std::vector<ServedResource> resources;
  static void describe(auto& v) {
    v.field("version", &ServedVersion::version);
    v.field("resources", &ServedVersion::resources);
  }
};

struct ServedGroup {
  ObjectMeta metadata;
  std::vector<ServedVersion> versions;
  static void describe(auto& v) {
    v.field("metadata", &ServedGroup::metadata);
    v.field("versions", &ServedGroup::versions);
  }
};

struct GroupList {
  std::vector<ServedGroup> items;
  static void describe(auto& v) { v.field("items", &GroupList::items); }
};

ServedKind kindOf(const std::string& group, const std::string& version, const ServedResource& r) {
  const auto isStatus = [](const Subresource& s) { return s.subresource == "status"; };
  return {.resource = {.group = group,
                       .version = version,
                       .kind = r.responseKind.kind,
                       .plural = r.resource,
                       .namespaced = r.scope == "Namespaced"},
          .singular = r.singularResource,
          .shortNames = r.shortNames,
          .categories = r.categories,
          .verbs = r.verbs,
          .hasStatus = std::ranges::any_of(r.subresources, isStatus)};
}

void take(std::vector<ServedKind>& into, const json::Value& answer) {
  for (const ServedGroup& group : json::decode<GroupList>(answer).items)
    for (const ServedVersion& version : group.versions)
      for (const ServedResource& resource : version.resources)
        into.push_back(kindOf(group.metadata.name, version.version, resource));
}

bool isCalled(const ServedKind& k, const std::string& name) {
  return name == k.resource.plural || name == k.singular || name == base::lower(k.resource.kind) ||
         std::ranges::find(k.shortNames, name) != k.shortNames.end();
}

}  // namespace

base::Task<Discovery> Discovery::load(Api& api) {
  const json::Value core = co_await api.raw("GET", "/api", kAccept);
  const json::Value groups = co_await api.raw("GET", "/apis", kAccept);
  try {
    co_return Discovery(core, groups);
  } catch (const json::DecodeError& e) {
    throw Error(Error::Code::badAnswer, std::string("discovery: ") + e.what());
  }
}

Discovery::Discovery(const json::Value& core, const json::Value& groups) {
  take(kinds_, core);
  take(kinds_, groups);
}

const ServedKind* Discovery::find(std::string_view word) const {
  const std::string text = base::lower(word);
  const auto dot = text.find('.');
  const std::string name = text.substr(0, dot);
  const std::string rest = dot == std::string::npos ? "" : text.substr(dot + 1);
  const auto it = std::ranges::find_if(kinds_, [&](const ServedKind& k) {
    const Resource& r = k.resource;
    const bool here = rest.empty() || rest == r.group || rest == r.version + "." + r.group;
    return here && isCalled(k, name);
  });
  return it == kinds_.end() ? nullptr : &*it;
}

const ServedKind* Discovery::find(std::string_view apiVersion, std::string_view kind) const {
  const auto it = std::ranges::find_if(
      kinds_, [&](const ServedKind& k) { return k.resource.kind == kind && k.resource.apiVersion() == apiVersion; });
  return it == kinds_.end() ? nullptr : &*it;
}

}  // namespace ingot::kube
