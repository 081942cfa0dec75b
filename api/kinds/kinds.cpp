#include "api/kinds/kinds.hpp"

#include "api/kinds/row.hpp"

namespace ingot::api {
namespace {

std::vector<KindRow> allRows() {
  std::vector<KindRow> rows;
  for (auto* list : {hostKinds, companionKinds, ipamKinds, clusterApiKinds, clusterApiCoreKinds})
    for (auto& row : list()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

const std::vector<KindRow>& everyKind() {
  static const std::vector<KindRow> rows = allRows();
  return rows;
}

const KindRow* rowOf(const json::Value& object) {
  const std::string kind = json::textAt(object, {"kind"}), apiVersion = json::textAt(object, {"apiVersion"});
  const std::string_view group = std::string_view(apiVersion).substr(0, apiVersion.rfind('/'));
  const auto found = std::ranges::find_if(
      everyKind(), [&](const KindRow& row) { return row.stored->kind == kind && row.stored->group == group; });
  return found == everyKind().end() ? nullptr : &*found;
}

std::vector<json::Object> crdsOf(KindSet set) {
  std::vector<json::Object> crds;
  for (const KindRow& kind : everyKind())
    if (kind.set == set) crds.push_back(kind.crd());
  return crds;
}

std::vector<json::Object> everyCrd() {
  std::vector<json::Object> crds;
  for (const KindRow& kind : everyKind()) crds.push_back(kind.crd());
  return crds;
}

}  // namespace ingot::api
