// Which pools a template takes addresses from (spec/capm3.md §16.1). Pure.
#pragma once

#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "cloudinit/snapshot.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::data {

struct PoolKind {
  std::string group, kind;

  // Served through IPClaims of ipam.metal3.io; all others through IPAddressClaims of Cluster API.
  [[nodiscard]] bool isMetal3() const;
  friend bool operator==(const PoolKind&, const PoolKind&) = default;
};

// By name: a machine has one claim for each, however often it is named.
using PoolReferences = std::map<std::string, PoolKind>;

// Exactly the pools that rendering will ask for, and those of dnsServersFromPool. Annotations are read from the
// objects of the snapshot, whose pools are not looked at. Throws RenderError for an annotation that is not there or
// empty, and for one name that stands for pools of two kinds.
[[nodiscard]] PoolReferences poolsNamedBy(const api::capm3::v1beta2::Metal3DataTemplateSpec& wanted,
                                          const cloudinit::Snapshot& snapshot);

}  // namespace ingot::coordinator::data
