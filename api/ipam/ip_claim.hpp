// IPClaim, ipam.metal3.io/v1alpha1: asks a pool for an address (spec/ipam.md §3).
#pragma once

#include "kube/core/object_reference.hpp"

namespace ingot::api::ipam {

struct IPClaimSpec {
  kube::ObjectReference pool;

  static void describe(auto& v) {
    v.doc("Wanted state of the claim: the pool that gives the address.");
    v.field("pool", &IPClaimSpec::pool).required().mapType("atomic").doc("The pool.");
  }
  friend bool operator==(const IPClaimSpec&, const IPClaimSpec&) = default;
};

struct IPClaimStatus {
  std::optional<kube::ObjectReference> address;
  std::optional<std::string> errorMessage;

  static void describe(auto& v) {
    v.field("address", &IPClaimStatus::address).mapType("atomic").doc("The IPAddress made for the claim.");
    v.field("errorMessage", &IPClaimStatus::errorMessage)
        .doc("Error message when the claim cannot be satisfied; empty otherwise.");
  }
  friend bool operator==(const IPClaimStatus&, const IPClaimStatus&) = default;
};

struct IPClaim {
  kube::ObjectMeta metadata;
  IPClaimSpec spec;
  IPClaimStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("Asks an IPPool for an address.");
    v.field("metadata", &IPClaim::metadata);
    v.field("spec", &IPClaim::spec);
    v.field("status", &IPClaim::status);
  }
  friend bool operator==(const IPClaim&, const IPClaim&) = default;
};

}  // namespace ingot::api::ipam

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::ipam::IPClaim>();
