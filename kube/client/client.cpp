#include "kube/client/client.hpp"

namespace ingot::kube::detail {

Origin keep(json::Value document) {
  if (json::Object* metadata = document.get_object()["metadata"].if_object()) metadata->erase("managedFields");
  if (document.storage().get() == boost::json::storage_ptr().get())
    return {std::make_shared<const json::Value>(std::move(document))};
  // A whole page of a list may share its storage.
  return {std::make_shared<const json::Value>(document, boost::json::storage_ptr())};
}

bool insideList(const std::vector<std::string>& paths) {
  return std::ranges::any_of(paths, [](const std::string& path) { return path.find('[') != std::string::npos; });
}

json::Value withTypeMeta(const KindInfo& kind, json::Value fields) {
  json::Object out{{"apiVersion", kind.apiVersion()}, {"kind", kind.kind}};
  for (auto& [key, value] : fields.get_object()) out.insert_or_assign(key, std::move(value));
  return out;
}

}  // namespace ingot::kube::detail
