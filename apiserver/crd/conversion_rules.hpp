// The versions of one kind whose CRD asks for a conversion webhook, converted in process.
#pragma once

#include "apiserver/crd/kind_converter.hpp"
#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/resource_info.hpp"
#include "apiserver/schema/catalog.hpp"

namespace ingot::apiserver {

class ConversionRules final : public KindRules {
 public:
  ConversionRules(const ResourceInfo& info, Catalog::Versions schemas, std::shared_ptr<const KindConverter> converter);

  [[nodiscard]] bool converts(const std::string& version) const override;
  // The result is pruned and filled in by the schema of the storage version, as reading it from a disk would.
  void toStorage(json::Value& object, const std::string& version) const override;
  // The result is pruned by the schema of `version`.
  void fromStorage(json::Value& object, const std::string& version) const override;

 private:
  void convert(json::Value& object, const std::string& to) const;
  [[nodiscard]] ApiError failed(const json::Value& object, std::string_view problem) const;

  std::string group_, kind_, storage_;
  Catalog::Versions schemas_;
  std::shared_ptr<const KindConverter> converter_;
};

}  // namespace ingot::apiserver
