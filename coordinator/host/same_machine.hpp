// Whether two hosts may be one machine: a backup that was restored into a second namespace, a manifest that was copied.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

// What names the machine: where its BMC answers (host, port unless it is the scheme's own, path of the system), its
// boot MAC address. Hosts that share one of them may be one machine; a BMC that is named once by name and once by IP
// address is not recognised. Pure; nothing of what cannot be read.
[[nodiscard]] std::vector<std::string> machineNames(const api::BareMetalHost& host);

// Judged by the status, or by the one that the host carries until that is taken over. A host in a state that only
// another version knows counts as registered, and so does one whose carried status cannot be read. Pure.
[[nodiscard]] bool wasRegistered(const api::BareMetalHost& host);

// A host's claim to the node of its machine: that the host has it, or is to get it.
struct MachineClaim {
  // None: of a host that is detached, of one that is let go and only waits for the finalizers of others, and of one
  // without a BMC that was never registered.
  enum class Rank : std::uint8_t { none, unregistered, registered };
  Rank rank = Rank::none;
  std::optional<base::WallTime> made = std::nullopt;  // the host
  kube::ObjectKey host = {};

  [[nodiscard]] bool stands() const { return rank != Rank::none; }
};
// Parses what the host carries (MachineClaims). Pure.
[[nodiscard]] MachineClaim claimOf(const api::BareMetalHost& host);

// Of two hosts that share a machine name only the first gets a node, because the machine may be in use under that host.
// Only a host that claims the machine comes first. A host that was registered before comes before one that never was,
// then the older one, then the one whose namespace and name come first. Pure.
[[nodiscard]] bool comesBefore(const MachineClaim& one, const MachineClaim& other);

// What `host` is told when `first` comes before it, or when `unreadable` may. They name no host of another namespace.
// Pure.
[[nodiscard]] std::string whyHeldBack(const api::BareMetalHost& host, const kube::ObjectKey& first);
[[nodiscard]] std::string whyHeldBackByUnreadable(const api::BareMetalHost& host, const kube::ObjectKey& unreadable);

}  // namespace ingot::coordinator::host
