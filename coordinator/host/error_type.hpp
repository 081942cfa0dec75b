// What kind of work failed: status.errorType, the reason of the Event and the label of the metric
// (spec/baremetalhost.md §6).
#pragma once

#include <optional>
#include <string_view>

namespace ingot::coordinator::host {

enum class ErrorType {
  provisionedRegistration,
  registration,
  inspection,
  preparation,
  provisioning,
  powerManagement,
};

// It is what status.errorType says: "registration error".
[[nodiscard]] std::string_view text(ErrorType type);

// The BMC, not the work, stands in the way.
[[nodiscard]] bool isAboutReach(ErrorType type);

// It is the reason of the Event: "RegistrationError".
[[nodiscard]] std::string_view eventReason(ErrorType type);

}  // namespace ingot::coordinator::host
