// The hardware of a host, as coordinator and agents speak of it (spec/bmc.md §17.2, §19.2). Part of messages.hpp.
#pragma once

#include "bmc/model/inventory.hpp"
#include "json/describe.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ingot::wire {

// agent → coordinator: what the agent has read by itself. Told at each reading, as a Grant asks for them. The next one
// counts alone: one that is lost is not repeated. Where it does not fit, it is shortened as an InventoryResult is.
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

// coordinator → agent: read the hardware of this host and answer with an InventoryResult. Nothing is switched, so any
// grant is enough. The same id again: its answer, once there is one. Only to agents that said that they can.
struct InventoryRequest {
  std::string host;
  std::int64_t id = 0;
  static void describe(auto& v) {
    v.field("host", &InventoryRequest::host).required();
    v.field("id", &InventoryRequest::id).required();
  }
};

inline constexpr std::string_view inventoryCapability = "inventory";  // of Hello.capabilities

// agent → coordinator: the answer to an InventoryRequest. Where it does not fit into a message, firmware, PCIe devices
// and components are left out first; a network card or disk more than fits makes it fail.
struct InventoryResult {
  std::string host;
  std::int64_t id = 0;     // of the request
  std::string outcome;     // done | failed
  std::string errorCode;   // bmc::toText(Error::Code), or no-lease, too-long, internal
  std::string error;       // for people
  std::int64_t ageMs = 0;  // since the BMC was asked; 0: an agent that does not tell
  bmc::Inventory inventory;
  static void describe(auto& v) {
    v.field("host", &InventoryResult::host).required();
    v.field("id", &InventoryResult::id).required();
    v.field("outcome", &InventoryResult::outcome).required();
    v.field("errorCode", &InventoryResult::errorCode);
    v.field("error", &InventoryResult::error);
    v.field("ageMs", &InventoryResult::ageMs);
    v.field("inventory", &InventoryResult::inventory);
  }
};

}  // namespace ingot::wire
