// What a Redfish error body says (spec/bmc.md §2.3). Tolerates every shape seen in the field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc::redfish {

struct ErrorBody {
  std::string detail;                   // one line for people; "unknown error" when the body has none
  std::vector<std::string> messageIds;  // the last segment of each: "ActionParameterValueConflict"

  [[nodiscard]] bool has(std::string_view messageId) const;
};

[[nodiscard]] ErrorBody readErrorBody(std::string_view body);

}  // namespace ingot::bmc::redfish
