// Admission of ipam.metal3.io (spec/ipam.md §7): pure functions, run in process by the embedded API and behind the
// webhooks. Every violation is reported, in upstream's order; what upstream lists in no order comes by name of claim.
#pragma once

#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "api/verdict.hpp"

namespace ingot::api::ipam {

void setDefaults(IPPool& pool);

[[nodiscard]] Verdict admitCreate(const IPPool& pool);
[[nodiscard]] Verdict admitUpdate(const IPPool& before, const IPPool& after);

[[nodiscard]] Verdict admitCreate(const IPClaim& claim);
[[nodiscard]] Verdict admitUpdate(const IPClaim& before, const IPClaim& after);

[[nodiscard]] Verdict admitCreate(const IPAddress& address);
[[nodiscard]] Verdict admitUpdate(const IPAddress& before, const IPAddress& after);

// "" counts as sequential.
[[nodiscard]] bool isRandom(const IPPoolSpec& spec);

}  // namespace ingot::api::ipam
