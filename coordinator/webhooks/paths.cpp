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

}  // namespace

bool isServed(const api::KindRow& kind) { return kind.set != api::KindSet::clusterApiCore; }

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

}  // namespace ingot::coordinator::webhooks
