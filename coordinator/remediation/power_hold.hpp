// The annotation by which a Metal3Remediation keeps its host off (spec/capm3.md §2.3). Whoever looks after the host
// carries it out. Pure: edits of drafts.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::remediation {

using api::BareMetalHost;

// `uid`: of the Metal3Remediation.
[[nodiscard]] bool isHeldOff(const BareMetalHost& host, const std::string& uid);
void holdOff(BareMetalHost& host, const std::string& uid);
void letOn(BareMetalHost& host, const std::string& uid);

// The uids of all Metal3Remediations that keep this host off.
[[nodiscard]] std::vector<std::string> holdersOf(const BareMetalHost& host);

}  // namespace ingot::coordinator::remediation
