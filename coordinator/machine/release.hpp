// How a host leaves a Metal3Machine (spec/capm3.md §11). Pure: edits of drafts.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"

namespace ingot::coordinator::machine {

using api::BareMetalHost;
using api::capi::Cluster;
using api::capm3::v1beta2::Metal3Machine;

// Takes off the host what it runs, and its power unless that is to stay. Afterwards it deprovisions by itself. Its meta
// and network data stay when the machine did not bring them.
// `fastTrack`: hosts that are cleaned stay on (CAPM3_FAST_TRACK).
void stopHost(BareMetalHost& host, const Metal3Machine& machine, bool fastTrack);

// Whether the host still runs or cleans something, so that nobody else may have it. Of one whose status has not been
// taken over yet, what it carries counts.
[[nodiscard]] bool isStillInUse(const BareMetalHost& host);
// What it is in use by, and what it waits for, in one line for people.
[[nodiscard]] std::string whyInUse(const BareMetalHost& host);

// The host is free. With `reuse` (see nodeReuseName) it stays with the Cluster for the next machine of the same owner.
void letGo(BareMetalHost& host, const std::string& clusterName, const std::string& reuse);

}  // namespace ingot::coordinator::machine
