#include "apiserver/discovery/discovery.hpp"

#include "apiserver/discovery/digest.hpp"
#include "apiserver/discovery/virtual_resources.hpp"

namespace ingot::apiserver {

namespace {

json::Array textArray(const std::vector<std::string>& all) { return json::Array(all.begin(), all.end()); }

std::string joinedVersion(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

json::Object versionEntry(std::string_view group, std::string_view version) {
  return {{"groupVersion", joinedVersion(group, version)}, {"version", version}};
}

const std::vector<std::string> kStatusVerbs{"get", "patch", "update"};

json::Object subresource(std::string_view name, const json::Object& kind, const std::vector<std::string>& verbs) {
  return {{"subresource", name}, {"responseKind", kind}, {"verbs", textArray(verbs)}};
}

}  // namespace

void Discovery::refresh() {
  if (built_ == registry_.definitionsChanged()) return;
  groups_.clear();
  const auto versionOf = [&](const std::string& group, const std::string& name) -> Version& {
    Group& versions = groups_[group];
    for (auto& version : versions)
      if (version.name == name) return version;
    return versions.emplace_back(Version{name, {}});
  };
  for (const auto& info : registry_.resources())
    for (const auto& version : info->versions)
      if (version.served)
        versionOf(info->group, version.name)
            .entries.push_back({info->plural, info->singular, info->kind, info->namespaced, version.statusSubresource,
                                info->group.empty() && info->plural == "namespaces", info->verbs, info->shortNames,
                                info->categories});
  for (const auto& one : virtualResources())
    versionOf(std::string(one.group), std::string(one.version))
        .entries.push_back({std::string(one.plural),
                            std::string(one.singular),
                            std::string(one.kind),
                            one.namespaced,
                            false,
                            false,
                            {"create"},
                            {},
                            {}});
  for (auto& [name, versions] : groups_) {
    std::sort(versions.begin(), versions.end(),
              [](const Version& a, const Version& b) { return precedesVersion(a.name, b.name); });
    for (auto& version : versions)
      std::sort(version.entries.begin(), version.entries.end(),
                [](const Entry& a, const Entry& b) { return a.plural < b.plural; });
  }
  built_ = registry_.definitionsChanged();
  core_ = {};
  others_ = {};
}

std::string Discovery::coreVersions(std::string_view serverAddress) const {
  return json::serialize(
      json::Object{{"kind", "APIVersions"},
                   {"versions", json::Array{"v1"}},
                   {"serverAddressByClientCIDRs",
                    json::Array{json::Object{{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", serverAddress}}}}});
}

namespace {

template <class Versions>
json::Object groupDocument(const std::string& name, const Versions& versions) {
  json::Array all;
  for (const auto& version : versions) all.push_back(versionEntry(name, version.name));
  return {{"name", name}, {"versions", all}, {"preferredVersion", all.front()}};
}

}  // namespace

std::string Discovery::groups() {
  refresh();
  json::Array all;
  for (const auto& [name, versions] : groups_)
    if (!name.empty()) all.push_back(groupDocument(name, versions));
  return json::serialize(json::Object{{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", all}});
}

std::optional<std::string> Discovery::group(std::string_view name) {
  refresh();
  const auto found = groups_.find(name);
  if (found == groups_.end() || name.empty()) return std::nullopt;
  json::Object out{{"kind", "APIGroup"}, {"apiVersion", "v1"}};
  for (auto& [key, value] : groupDocument(found->first, found->second)) out[key] = value;
  return json::serialize(out);
}

namespace {

template <class Entry>
void addPlain(json::Array& out, const Entry& entry) {
  json::Object item{{"name", entry.plural},
                    {"singularName", entry.singular},
                    {"namespaced", entry.namespaced},
                    {"kind", entry.kind},
                    {"verbs", textArray(entry.verbs)}};
  if (!entry.shortNames.empty()) item["shortNames"] = textArray(entry.shortNames);
  if (!entry.categories.empty()) item["categories"] = textArray(entry.categories);
  out.push_back(std::move(item));
  const auto sub = [&](std::string_view name, const std::vector<std::string>& verbs) {
    out.push_back({{"name", entry.plural + "/" + std::string(name)},
                   {"singularName", ""},
                   {"namespaced", entry.namespaced},
                   {"kind", entry.kind},
                   {"verbs", textArray(verbs)}});
  };
  if (entry.finalize) sub("finalize", {"update"});
  if (entry.status) sub("status", kStatusVerbs);
}

template <class Entry>
json::Object aggregatedEntry(std::string_view group, std::string_view version, const Entry& entry) {
  const json::Object kind{{"group", group}, {"version", version}, {"kind", entry.kind}};
  json::Object out{{"resource", entry.plural},
                   {"responseKind", kind},
                   {"scope", entry.namespaced ? "Namespaced" : "Cluster"},
                   {"singularResource", entry.singular},
                   {"verbs", textArray(entry.verbs)}};
  if (!entry.shortNames.empty()) out["shortNames"] = textArray(entry.shortNames);
  if (!entry.categories.empty()) out["categories"] = textArray(entry.categories);
  json::Array subs;
  if (entry.finalize) subs.push_back(subresource("finalize", kind, {"update"}));
  if (entry.status) subs.push_back(subresource("status", kind, kStatusVerbs));
  if (!subs.empty()) out["subresources"] = std::move(subs);
  return out;
}

template <class Versions>
json::Object aggregatedGroup(const std::string& name, const Versions& versions) {
  json::Array all;
  for (const auto& version : versions) {
    json::Array resources;
    for (const auto& entry : version.entries) resources.push_back(aggregatedEntry(name, version.name, entry));
    all.push_back({{"version", version.name}, {"resources", std::move(resources)}, {"freshness", "Current"}});
  }
  json::Object metadata;
  if (!name.empty()) metadata["name"] = name;
  return {{"metadata", std::move(metadata)}, {"versions", std::move(all)}};
}

}  // namespace

std::optional<std::string> Discovery::resources(std::string_view group, std::string_view version) {
  refresh();
  const auto found = groups_.find(group);
  if (found == groups_.end()) return std::nullopt;
  for (const auto& one : found->second) {
    if (one.name != version) continue;
    json::Array all;
    for (const auto& entry : one.entries) addPlain(all, entry);
    json::Object out{{"kind", "APIResourceList"}};
    if (!group.empty()) out["apiVersion"] = "v1";
    out["groupVersion"] = joinedVersion(group, version);
    out["resources"] = std::move(all);
    return json::serialize(out);
  }
  return std::nullopt;
}

const Discovery::Aggregated& Discovery::aggregated(bool core) {
  refresh();
  Aggregated& cached = core ? core_ : others_;
  if (!cached.body.empty()) return cached;
  json::Array items;
  for (const auto& [name, versions] : groups_)
    if (name.empty() == core) items.push_back(aggregatedGroup(name, versions));
  cached.body = json::serialize(json::Object{{"kind", "APIGroupDiscoveryList"},
                                             {"apiVersion", "apidiscovery.k8s.io/v2"},
                                             {"metadata", json::Object()},
                                             {"items", std::move(items)}});
  cached.etag = "\"" + sha512Hex(cached.body) + "\"";
  return cached;
}

std::vector<GroupVersion> Discovery::groupVersions() {
  refresh();
  std::vector<GroupVersion> out;
  for (const auto& [name, versions] : groups_)
    for (const auto& version : versions) out.push_back({name, version.name});
  return out;
}

}  // namespace ingot::apiserver
