#include "api/kinds/kinds.hpp"

#include "api/kinds/row.hpp"

namespace ingot::api {
namespace {

std::vector<KindRow> allRows() {
  std::vector<KindRow> rows;
  for (auto* list : {hostKinds, companionKinds, ipamKinds, clusterApiKinds})
    for (auto& row : list()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

const std::vector<KindRow>& everyKind() {
  static const std::vector<KindRow> rows = allRows();
  return rows;
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
