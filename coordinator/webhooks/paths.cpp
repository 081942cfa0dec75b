#include "coordinator/webhooks/paths.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace ingot::coordinator::webhooks {
namespace {

std::vector<AdmissionPath> allPaths() {
  std::vector<AdmissionPath> all;
  for (const api::KindRow& kind : api::everyKind()) {
    if (!kind.rules || !isServed(kind)) continue;
    for (const Type type : {Type::mutating, Type::validating})
      all.push_back({.path = pathOf(*kind.stored, type), .type = type, .kind = kind});
  }
  return all;
}

// Metal3's manager of these kinds.
std::string_view managerOf(api::KindSet set) {
  switch (set) {
    case api::KindSet::hosts:
    case api::KindSet::companions: return "baremetal-operator";
    case api::KindSet::clusterApi:
    case api::KindSet::clusterApiCore: return "capm3";
    case api::KindSet::ipam: return "ipam";
  }
  std::unreachable();
}

}  // namespace

bool isServed(const api::KindRow& kind) { return kind.set != api::KindSet::clusterApiCore; }

std::vector<std::string> convertedDefinitions() {
  std::vector<std::string> names;
  for (const api::KindRow& kind : api::everyKind())
    if (isServed(kind) && kind.convert != nullptr) names.push_back(kind.stored->resource());
  return names;
}

std::string pathOf(const kube::KindInfo& kind, Type type) {
  std::string group(kind.group);
  std::ranges::replace(group, '.', '-');
  return fmt::format("/{}-{}-{}-{}", type == Type::mutating ? "mutate" : "validate", group, kind.version,
                     base::lower(kind.kind));
}

const std::vector<AdmissionPath>& admissionPaths() {
  static const std::vector<AdmissionPath> all = allPaths();
  return all;
}

const AdmissionPath* findPath(std::string_view path) {
  const auto& all = admissionPaths();
  const auto found = std::ranges::find(all, path, &AdmissionPath::path);
  return found == all.end() ? nullptr : &*found;
}

bool isRegistered(const AdmissionPath& path) {
  constexpr std::string_view withDefaults[] = {"Metal3Cluster", "Metal3RemediationTemplate", "IPPool", "IPClaim",
                                               "IPAddress"};
  return path.type == Type::validating ||
         std::ranges::find(withDefaults, path.kind.stored->kind) != std::ranges::end(withDefaults);
}

std::string configurationOf(const AdmissionPath& path) {
  return fmt::format("{}-{}-webhook-configuration", managerOf(path.kind.set),
                     path.type == Type::mutating ? "mutating" : "validating");
}

}  // namespace ingot::coordinator::webhooks
