// Which interfaces of hosts are attached to a network (spec/baremetalhost.md §4.3).
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/metal3/admission.hpp"

namespace ingot::api {

// Of one host, the attachment's "namespace/host[interface]"; an interface without a name shows its MAC address.
[[nodiscard]] AttachmentUsers usersIn(const BareMetalHost& host, const std::string& space, const std::string& name);

// Refused while in use; a warning names the users.
[[nodiscard]] Verdict admitDelete(const AttachmentUsers& users);

}  // namespace ingot::api
