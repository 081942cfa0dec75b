// Hardware profiles: names for default root device hints (deprecated, spec/baremetalhost.md §2.1.3).
#pragma once

#include "api/bmh/baremetalhost.hpp"

namespace ingot::api {

// Sticky: status before spec, then libvirt for a libvirt BMC address, then unknown.
[[nodiscard]] std::string hardwareProfileOf(const BareMetalHost& host);

// Throws base::InvalidInput for a name that is no profile.
[[nodiscard]] RootDeviceHints profileHints(std::string_view profile);

}  // namespace ingot::api
