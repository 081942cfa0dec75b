// Admission of the kinds around the BareMetalHost (spec/baremetalhost.md §4.3): pure functions, run in process by the
// embedded API and behind the webhooks. Every violation is reported.
#pragma once

#include "api/metal3/firmware.hpp"
#include "api/metal3/host_claim.hpp"
#include "api/metal3/host_companions.hpp"
#include "api/metal3/network.hpp"
#include "api/verdict.hpp"

namespace ingot::api {

struct BareMetalHost;

[[nodiscard]] Verdict admitCreate(const DataImage& image);
[[nodiscard]] Verdict admitUpdate(const DataImage& before, const DataImage& after);

[[nodiscard]] Verdict admitCreate(const HostFirmwareComponents& firmware);
[[nodiscard]] Verdict admitUpdate(const HostFirmwareComponents& before, const HostFirmwareComponents& after);

[[nodiscard]] Verdict admitCreate(const BMCEventSubscription& subscription);
[[nodiscard]] Verdict admitUpdate(const BMCEventSubscription& before, const BMCEventSubscription& after);

[[nodiscard]] Verdict admitCreate(const HostClaim& claim);
[[nodiscard]] Verdict admitUpdate(const HostClaim& before, const HostClaim& after);

// Interfaces of hosts that are attached to a network: "namespace/host[interface]"; an interface without a name shows
// its MAC address.
using AttachmentUsers = std::vector<std::string>;

// Those of one host that use the attachment `name` in the namespace `space`.
[[nodiscard]] AttachmentUsers usersIn(const BareMetalHost& host, const std::string& space, const std::string& name);

[[nodiscard]] Verdict admitCreate(const HostNetworkAttachment& attachment);
// `users` of the attachment as it is.
[[nodiscard]] Verdict admitUpdate(const HostNetworkAttachment& before, const HostNetworkAttachment& after,
                                  const AttachmentUsers& users);
// Refused while in use; a warning names the users.
[[nodiscard]] Verdict admitDelete(const AttachmentUsers& users);

}  // namespace ingot::api
