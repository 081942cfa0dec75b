// Why a node failed, once its last_error is gone: Ironic's power sync empties it as soon as the power is as recorded,
// and the node's history keeps what it said (spec/ironic.md §8.3).
#pragma once

#include "ironic-client/node.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::host::ironic_backend {

// The node has failed and its record does not say why. While somebody holds the node the reason may yet be written.
[[nodiscard]] bool lacksReason(const ironic::Node& node);

// For people: last_error, or that there is none.
[[nodiscard]] std::string errorOf(const ironic::Node& node);

// What the failure that the node is in was recorded with; "": nothing that can be told from older failures.
[[nodiscard]] std::string recordedReason(const ironic::Node& node,
                                         const std::vector<ironic::HistoryEvent>& latestFirst);

}  // namespace ingot::coordinator::host::ironic_backend
