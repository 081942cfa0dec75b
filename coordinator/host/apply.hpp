// The only place that moves a host's state. Pure: an answer and a host in, the changed host and the next look out.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/random.hpp"
#include "coordinator/host/journal.hpp"
#include "coordinator/host/outcome.hpp"

namespace ingot::coordinator::host {

// When to look again; nullopt: when something changes. Throws std::logic_error for a move that the table forbids.
[[nodiscard]] std::optional<base::Duration> apply(const Step& step, api::BareMetalHost& host, Journal& journal,
                                                  base::WallTime now, base::Random& random);

// status.provisioning.state as we know it. Throws base::Error for a state this version has never heard of.
[[nodiscard]] State stateOf(const api::BareMetalHost& host);

// The user-visible record of a failure.
void recordFailure(api::BareMetalHost& host, Journal& journal, const Fail& failure);

}  // namespace ingot::coordinator::host
