// What the user wants of a host, compared with what its status records (spec/baremetalhost.md §2.1.4, §7.2). Pure;
// the questions that everyone asks are members of api::BareMetalHost.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>

namespace ingot::coordinator::host {

[[nodiscard]] bool paused(const api::BareMetalHost& host);
[[nodiscard]] bool beingDeleted(const api::BareMetalHost& host);

// The annotation asks for a new inspection.
[[nodiscard]] bool inspectionRequested(const api::BareMetalHost& host);

// In provisioning: what is being deployed (status.lastAttemptedImage) is not what is wanted by now. Upstream goes on
// and records the image that is wanted as the one on the disk (docs/decisions/0007).
[[nodiscard]] bool imageChangedUnderWay(const api::BareMetalHost& host);

// What is on the host, or on its way there, is no longer wanted. Only the image's URL counts; `online` does not.
[[nodiscard]] bool provisioningCancelled(const api::BareMetalHost& host);

// The user's word, else what inspection found, else this machine's.
[[nodiscard]] std::string architecture(const api::BareMetalHost& host);

[[nodiscard]] std::string imageUrl(const api::BareMetalHost& host);             // "" when none is wanted
[[nodiscard]] std::string customDeployMethod(const api::BareMetalHost& host);   // "" when none is wanted
[[nodiscard]] std::string provisionedImageUrl(const api::BareMetalHost& host);  // "" when none is on it
[[nodiscard]] std::string provisionedMethod(const api::BareMetalHost& host);

}  // namespace ingot::coordinator::host
