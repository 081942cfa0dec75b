// Rules of Cluster API's IPAddressClaim and IPAddress (spec/cluster-api.md §1.14), as its webhooks have them: pure
// functions on the storage version, run in process by the embedded API. An address is also asked for the pool of its
// claim (coordinator/admission).
#pragma once

#include "api/capi_ipam/ip_address.hpp"
#include "api/verdict.hpp"

namespace ingot::api::capi_ipam {

[[nodiscard]] Verdict admitCreate(const IPAddressClaim& claim);
[[nodiscard]] Verdict admitUpdate(const IPAddressClaim& before, const IPAddressClaim& after);

[[nodiscard]] Verdict admitCreate(const IPAddress& address);
[[nodiscard]] Verdict admitUpdate(const IPAddress& before, const IPAddress& after);
// Of a new address for a claim that is there.
[[nodiscard]] Verdict admitFor(const IPAddressClaim& claim, const IPAddress& address);

}  // namespace ingot::api::capi_ipam
