#include "kube/client/client.hpp"

namespace ingot::kube::detail {

Origin keep(json::Value document) {
  if (json::Object* metadata = document.get_object()["metadata"].if_object()) metadata->erase("managedFields");
  return {std::make_shared<const json::Value>(std::move(document))};
}

bool insideList(const std::vector<std::string>& paths) {
  return std::ranges::any_of(paths, [](const std::string& path) { return path.find('[') != std::string::npos; });
}

bool showsMore(const json::Value& encoded, const json::Value* document) {
  if (encoded.is_null()) return false;
  if (encoded.is_object()) {
    if (encoded.get_object().empty()) return false;
    if (!document || !document->is_object()) return true;
    return std::ranges::any_of(encoded.get_object(), [&](const auto& member) {
      const json::Value* there = document->get_object().if_contains(member.key());
      return !member.value().is_null() && (!there || showsMore(member.value(), there));
    });
  }
  if (!encoded.is_array() || !document || !document->is_array()) return false;
  const auto& items = encoded.get_array();
  const auto& others = document->get_array();
  for (std::size_t i = 0; i < items.size() && i < others.size(); ++i)
    if (showsMore(items[i], &others[i])) return true;
  return false;
}

json::Value withTypeMeta(const KindInfo& kind, json::Value fields) {
  json::Object out{{"apiVersion", kind.apiVersion()}, {"kind", kind.kind}};
  for (auto& [key, value] : fields.get_object()) out.insert_or_assign(key, std::move(value));
  return out;
}

}  // namespace ingot::kube::detail
