// What a Redfish error body says (spec/bmc.md §2.3). Tolerates every shape seen in the field.
#pragma once

#include "base/secret.hpp"
#include "json/value.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::bmc::redfish {

// A message that came without its text, as its identifier alone: "Base.1.8.ActionParameterMissing".
struct UnresolvedMessage {
  std::string id;
  std::vector<std::string> args;
};

[[nodiscard]] std::string shown(const UnresolvedMessage& message);  // "Base.1.8.PropertyUnknown (Model)"

// MessageArgs of a message: as many as a text can have places for, %1 … %9.
inline constexpr std::size_t mostArgs = 9;
[[nodiscard]] std::vector<std::string> argsIn(const json::Object& message);

struct ErrorBody {
  std::string detail;                           // one line for people; "unknown error" when the body has none
  std::vector<std::string> messageIds;          // the last segment of each: "ActionParameterValueConflict"
  std::optional<UnresolvedMessage> unresolved;  // `detail` is no more than this

  // Also of the messages that are not told: their texts, arguments and properties, in lower case.
  std::string mentioned = {};

  [[nodiscard]] bool has(std::string_view messageId) const;
  [[nodiscard]] bool mentions(std::string_view word) const;  // in any case of letters
  [[nodiscard]] bool saysNotNow() const;                     // iDRAC's and iLO's: after a power change, for a while
};

// Whatever a BMC writes, as one printable line of bounded length.
[[nodiscard]] std::string printable(std::string text);

// Texts hold *** for `secrets` (base::redacted), also where the end of one would be cut off; identifiers stay as they
// are.
[[nodiscard]] ErrorBody readErrorBody(std::string_view body, std::span<const base::Secret> secrets = {});

}  // namespace ingot::bmc::redfish
