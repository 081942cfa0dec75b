#include "apiserver/schema/catalog.hpp"

namespace ingot::apiserver {

void Catalog::set(const GroupResource& id, Versions versions) {
  kinds_[id] = std::move(versions);
  ++changes_;
}

void Catalog::remove(const GroupResource& id) {
  kinds_.erase(id);
  ++changes_;
}

KindSchemaPtr Catalog::find(const GroupResource& id, const std::string& version) const {
  const auto kind = kinds_.find(id);
  if (kind == kinds_.end()) return nullptr;
  const auto found = kind->second.find(version);
  return found == kind->second.end() ? nullptr : found->second;
}

const kube::Schema& KindSchema::schema() const {
  if (!compiled_) compiled_ = compileSchema(source_());
  return *compiled_;
}

}  // namespace ingot::apiserver
