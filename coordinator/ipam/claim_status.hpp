// What a claim is told (spec/ipam.md §11, §12): finalizer, reference to its address, refusal.
#pragma once

#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/ipam/ip_claim.hpp"
#include "coordinator/ipam/refusal.hpp"

namespace ingot::coordinator::ipam {

// The claim is being worked on: it keeps our finalizer from now on, and an old refusal is forgotten.
void begin(api::ipam::IPClaim& claim);
void begin(api::capi_ipam::IPAddressClaim& claim);

void tellAddress(api::ipam::IPClaim& claim, const std::string& name);
// Condition Ready is set for addresses that we made just now, as upstream does.
void tellAddress(api::capi_ipam::IPAddressClaim& claim, const std::string& name);
void tellReady(api::capi_ipam::IPAddressClaim& claim, base::WallTime now);
[[nodiscard]] bool isToldNotReady(const api::capi_ipam::IPAddressClaim& claim);

// Not refused: it is tried again, and this says what it waits for. The status of an IPClaim cannot tell of a wait:
// whoever reads an error there takes it as final.
[[nodiscard]] inline bool isToldWaiting(const api::ipam::IPClaim&) { return false; }
[[nodiscard]] bool isToldWaiting(const api::capi_ipam::IPAddressClaim& claim);
void tellWaiting(api::capi_ipam::IPAddressClaim& claim, const std::string& why, base::WallTime now);
// Whether a change of a claim is worth a look at it. That it waits for something else is our own write, and would end
// its back-off: each refusal may name another address.
[[nodiscard]] bool mattersToClaim(const api::ipam::IPClaim& before, const api::ipam::IPClaim& after);
[[nodiscard]] bool mattersToClaim(const api::capi_ipam::IPAddressClaim& before,
                                  const api::capi_ipam::IPAddressClaim& after);

void tellRefusal(api::ipam::IPClaim& claim, const Refused& refused, base::WallTime now = {});
// Takes the place of all other conditions.
void tellRefusal(api::capi_ipam::IPAddressClaim& claim, const Refused& refused, base::WallTime now);

}  // namespace ingot::coordinator::ipam
