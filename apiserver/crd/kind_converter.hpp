// Conversion between the versions of a kind, injected: this server knows no kind.
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "json/value.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace ingot::apiserver {

class KindConverter {
 public:
  virtual ~KindConverter() = default;
  // `object`, complete with apiVersion, kind and metadata, in `version`. Of metadata only labels and
  // annotations may change. Throws base::Error when it cannot be converted; the client reads its text.
  [[nodiscard]] virtual json::Value convert(const json::Value& object, const std::string& version) const = 0;
};

// By kind: stands in for the conversion webhook that its CRD asks for.
using KindConverters = std::map<GroupResource, std::shared_ptr<const KindConverter>>;

}  // namespace ingot::apiserver
