// coordination.k8s.io/v1 Lease.
#pragma once

#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <optional>
#include <string>

namespace ingot::kube {

struct LeaseSpec {
  std::optional<std::string> holderIdentity;  // "" is written: released
  std::optional<std::int64_t> leaseDurationSeconds;
  std::optional<json::MicroTime> acquireTime, renewTime;
  std::optional<std::int64_t> leaseTransitions;  // 0 is written

  static void describe(auto& v) {
    v.field("holderIdentity", &LeaseSpec::holderIdentity);
    v.field("leaseDurationSeconds", &LeaseSpec::leaseDurationSeconds);
    v.field("acquireTime", &LeaseSpec::acquireTime);
    v.field("renewTime", &LeaseSpec::renewTime);
    v.field("leaseTransitions", &LeaseSpec::leaseTransitions);
  }
  friend bool operator==(const LeaseSpec&, const LeaseSpec&) = default;
};

struct Lease {
  ObjectMeta metadata;
  LeaseSpec spec;

  static const KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &Lease::metadata);
    v.field("spec", &Lease::spec);
  }
  friend bool operator==(const Lease&, const Lease&) = default;
};

}  // namespace ingot::kube

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Lease>();
