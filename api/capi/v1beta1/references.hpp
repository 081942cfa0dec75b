// References and small parts that Cluster and Machine of v1beta1 share.
#pragma once

#include "api/capi/shared.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::api::capi::v1beta1 {

inline json::FieldOptions& objectReference(json::FieldOptions&& field) { return field.mapType("atomic"); }

// A duration as Go writes it: "10m0s".
using Duration = std::optional<std::string>;

// After which time a machine's deletion goes on without the node's agreement. "0s": never.
struct MachineDeletion {
  Duration nodeDrainTimeout, nodeVolumeDetachTimeout, nodeDeletionTimeout;

  static void describe(auto& v) {
    using S = MachineDeletion;
    v.field("nodeDrainTimeout", &S::nodeDrainTimeout).doc("How long the drain of the node may take; 0: no limit.");
    v.field("nodeVolumeDetachTimeout", &S::nodeVolumeDetachTimeout)
        .doc("How long to wait for volumes to be detached; 0: no limit.");
    v.field("nodeDeletionTimeout", &S::nodeDeletionTimeout).doc("How long to try to delete the node; 0: no limit.");
  }
  friend bool operator==(const MachineDeletion&, const MachineDeletion&) = default;
};

}  // namespace ingot::api::capi::v1beta1
