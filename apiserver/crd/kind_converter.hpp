// Conversion between the versions of a group's kinds, injected: this server knows no kind.
#pragma once

#include "json/value.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace ingot::apiserver {

class KindConverter {
 public:
  virtual ~KindConverter() = default;
  // `object`, complete with apiVersion, kind and metadata, in `version` of its group. Of metadata only labels and
  // annotations may change. Throws base::Error when it cannot be converted; the client reads its text.
  [[nodiscard]] virtual json::Value convert(const json::Value& object, const std::string& version) const = 0;
};

// By group: stands in for the conversion webhook that its CRDs ask for.
using KindConverters = std::map<std::string, std::shared_ptr<const KindConverter>, std::less<>>;

}  // namespace ingot::apiserver
