#include "cli/check/our_kinds.hpp"

#include "api/kinds/kinds.hpp"
#include "base/nearest.hpp"

namespace ingot::cli {
namespace {

std::string groupOf(const std::string& apiVersion) { return apiVersion.substr(0, apiVersion.find('/')); }

void addVersions(std::vector<OurKind>& into, const api::KindRow& row) {
  const json::Object crd = row.crd();
  const json::Value& spec = crd.at("spec");
  for (const json::Value& version : *json::arrayAt(spec, {"versions"}))
    into.push_back({.group = json::textAt(spec, {"group"}),
                    .version = json::textAt(version, {"name"}),
                    .kind = json::textAt(spec, {"names", "kind"}),
                    .namespaced = json::textAt(spec, {"scope"}) == "Namespaced",
                    .groupIsOurs = row.set != api::KindSet::clusterApiCore,
                    .schema = kube::compileSchema(*json::find(version, {"schema", "openAPIV3Schema"}))});
}

// Cluster API still serves it, and nothing here knows its fields.
constexpr std::string_view kOlderAddresses = "ipam.cluster.x-k8s.io/v1alpha1";

}  // namespace

OurKinds::OurKinds() {
  for (const api::KindRow& row : api::everyKind()) addVersions(all_, row);
}

const OurKind* OurKinds::find(const Manifest& manifest) const {
  const auto found = std::ranges::find_if(all_, [&](const OurKind& one) {
    return one.kind == manifest.kind() && one.apiVersion() == manifest.apiVersion();
  });
  return found == all_.end() ? nullptr : &*found;
}

std::optional<Complaint> OurKinds::unknown(const Manifest& manifest) const {
  if (manifest.apiVersion() == kOlderAddresses) return std::nullopt;
  const std::string group = groupOf(manifest.apiVersion());
  std::vector<std::string> kinds;
  std::string served;
  for (const OurKind& one : all_) {
    if (one.group != group) continue;
    if (one.groupIsOurs) kinds.push_back(one.kind);
    if (one.kind != manifest.kind()) continue;
    if (one.apiVersion() == manifest.apiVersion()) return std::nullopt;
    served += (served.empty() ? "" : " or ") + one.apiVersion();
  }
  if (!served.empty())
    return Complaint{"apiVersion",
                     fmt::format("{} has no {}; write {}", manifest.apiVersion(), manifest.kind(), served)};
  if (kinds.empty()) return std::nullopt;
  const std::string near = base::nearest(manifest.kind(), kinds);
  return Complaint{"kind", fmt::format("{} has no kind {}{}", group, manifest.kind(),
                                       near.empty() ? "" : "; did you mean " + near + "?")};
}

}  // namespace ingot::cli
