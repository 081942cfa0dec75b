// The hardware of hosts as agents have read it last, in memory only, for who asks: all of it, of which HardwareData
// holds what its kind has members for.
#pragma once

#include "base/clock.hpp"
#include "base/packed_text.hpp"
#include "bmc/model/inventory_changes.hpp"
#include "kube/core/object_key.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::coordinator::agents {

class HardwareBook {
 public:
  explicit HardwareBook(std::size_t mostBytes = 64 << 20) : mostBytes_(mostBytes) {}

  // In place of what is known of the host; what has changed since. What was not read whole takes the place of what was
  // only where somebody `wanted` it now, and changes nothing. Of more than `mostBytes` in all, those that were read
  // longest ago are forgotten.
  bmc::InventoryChanges take(const std::string& uid, const kube::ObjectKey& host, const bmc::Inventory& inventory,
                             base::MonoTime readAt, bool wanted = true);
  void forget(const std::string& uid);

  struct Told {
    std::string inventory;  // a bmc::Inventory as JSON
    base::Duration age{};
  };
  // nullopt: no agent has read it, or it is forgotten.
  [[nodiscard]] std::optional<Told> find(const kube::ObjectKey& host, base::MonoTime now) const;

 private:
  struct Host {
    kube::ObjectKey key;
    base::PackedText document;
    base::MonoTime at{};
    bool isWhole = false;
  };
  std::size_t mostBytes_, bytes_ = 0;
  std::map<std::string, Host> hosts_;  // by uid
};

}  // namespace ingot::coordinator::agents
