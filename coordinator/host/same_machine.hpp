// Whether two hosts may be one machine: a backup that was restored into a second namespace, a manifest that was copied.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::host {

// What names the machine: where its BMC answers (host, port unless it is the scheme's own, path of the system), its
// boot MAC address. Hosts that share one of them may be one machine; a BMC that is named once by name and once by IP
// address is not recognised. Pure; nothing of what cannot be read.
[[nodiscard]] std::vector<std::string> machineNames(const api::BareMetalHost& host);

// Of two hosts that share a name only one gets a node: the machine may be in use under that one. A host that was
// registered before comes before one that never was, then the older one, then the one whose namespace and name come
// first. A host without a BMC that was never registered has no claim. Pure.
[[nodiscard]] bool comesBefore(const api::BareMetalHost& one, const api::BareMetalHost& other);

// What `host` is told when `first` comes before it. It names no host of another namespace. Pure.
[[nodiscard]] std::string whyHeldBack(const api::BareMetalHost& host, const api::BareMetalHost& first);

}  // namespace ingot::coordinator::host
