// The hardware of a host, as its agent has read it by itself (spec/bmc.md §17.2, §19.2).
#pragma once

#include "bmc/model/inventory.hpp"
#include "json/describe.hpp"

namespace ingot::wire {

// Told at each reading, as a Grant asks for them. The next one counts alone: one that is lost is not repeated. Where it
// does not fit, it is shortened as an InventoryResult is.
struct HardwareFacts {
  std::string host;
  std::int64_t term = 0;  // learnt under this grant
  std::int64_t lease = 0;
  std::int64_t ageMs = 0;  // since the BMC was asked
  bmc::Inventory inventory;
  static void describe(auto& v) {
    v.field("host", &HardwareFacts::host).required();
    v.field("term", &HardwareFacts::term).always();
    v.field("lease", &HardwareFacts::lease).always();
    v.field("ageMs", &HardwareFacts::ageMs).always();
    v.field("inventory", &HardwareFacts::inventory);
  }
};

}  // namespace ingot::wire
