// From a Secret to the hosts that name it, by one index for everybody: the host controller wakes a host that waits for
// a Secret, the agents' service looks again at a host whose credentials changed. This is the one place that knows by
// which fields a host names Secrets.
//   SecretUsers users{hosts, secretsNamedBy};
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "kube/runtime/index.hpp"

#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

using SecretUsers = kube::Index<api::BareMetalHost, kube::ObjectKey>;

// The Secrets of BMC credentials, of the ramdisk's network data, of user, meta and network data, and of the image's
// pull secret. A Secret of another namespace is never read and does not count.
[[nodiscard]] std::vector<kube::ObjectKey> secretsNamedBy(const api::BareMetalHost& host);

// The names of those that the host keeps from being deleted: the credentials and the ramdisk's network data that it
// names, and the credentials that worked last, until the named ones do. Pure.
[[nodiscard]] std::set<std::string> secretsKept(const api::BareMetalHost& host);

// The names of the Secrets that the host has ceased to keep, because it names another one now, even when the former one
// never worked. Pure.
[[nodiscard]] std::vector<std::string> noLongerKept(const api::BareMetalHost& before, const api::BareMetalHost& after);

}  // namespace ingot::coordinator::host
