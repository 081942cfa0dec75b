// What a remediation does to the Node of its machine, and what it keeps of it (spec/capm3.md §18.2, §18.3, §18.5).
// Pure.
#pragma once

#include "api/capm3/v1beta2/remediation.hpp"
#include "base/clock.hpp"
#include "coordinator/workload/server_version.hpp"
#include "json/value.hpp"
#include "kube/core/node.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace ingot::coordinator::remediation {

using api::capm3::v1beta2::Metal3Remediation;

// --- out of service ---
// Whether the workload cluster moves the Pods and volumes of a Node with that taint [Q27].
[[nodiscard]] bool knowsOutOfService(const std::optional<workload::ServerVersion>& version);
[[nodiscard]] bool isOutOfService(const kube::Node& node);
// Of one that bears the taint: asks for no change, and its answer says that it still does.
[[nodiscard]] json::Value outOfServicePatch(const kube::Node& node, base::WallTime now);

// --- deleted, and made anew by its kubelet ---
// Labels and annotations of the Node, into annotations of the remediation. What was kept of an earlier Node and is not
// back on this one stays. No API stores more than 256 KiB of annotations, and a Node may have as much, so that no more
// than half of that is kept: the labels first, and the small ones first. How many are left out.
[[nodiscard]] std::size_t keepRecord(Metal3Remediation& remediation, const kube::Node& node);
[[nodiscard]] bool hasRecord(const Metal3Remediation& remediation);

// The remediation remembers that its Node is, or is about to be, out of service; returns false when it did.
bool markOutOfService(Metal3Remediation& remediation);
// A record, or that mark: something has to be done to the Node before the remediation may go.
[[nodiscard]] bool owesNode(const Metal3Remediation& remediation);

// The record and the mark.
void dropRecord(Metal3Remediation& remediation);

// Puts back what is missing on the Node, with the providerID of its machine, and takes the taint off. With a record, or
// the mark, it may ask for no change: it is sent all the same, as its answer says that the Node is still that one: what
// is known of it may be of before the taint. nullopt: nothing of the remediation is left on the Node.
[[nodiscard]] std::optional<json::Value> restoringPatch(const kube::Node& node, const Metal3Remediation& remediation,
                                                        const std::string& providerId);

}  // namespace ingot::coordinator::remediation
