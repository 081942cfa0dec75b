// The hardware of hosts as agents have read it last, in memory only, for who asks: all of it, of which HardwareData
// holds what its kind has members for.
#pragma once

#include "base/clock.hpp"
#include "bmc/model/inventory_changes.hpp"
#include "kube/core/object_key.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::agents {

class HardwareBook {
 public:
  explicit HardwareBook(std::size_t mostBytes = 64 << 20) : mostBytes_(mostBytes) {}

  struct Taken {
    bool isKept = false;  // it is what is known now
    bmc::InventoryChanges changes;
    // Not kept, for it leaves out what is known; but what it tells of parts is newer than what is known of them. The
    // rest of them, and when that was read.
    bool isPart = false;
    std::vector<bmc::Component> untold = {};
    base::MonoTime untoldAt{};
  };
  // In place of what is known of the host; what has changed since, of hosts that were on both times. What was read
  // before, or leaves out what is known, changes nothing, unless that is a day old. Of more than `mostBytes` in all,
  // those that were read longest ago are forgotten.
  Taken take(const std::string& uid, const kube::ObjectKey& host, const bmc::Inventory& inventory,
             base::MonoTime readAt, bool isOn = true);
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
    std::string document;  // compressed
    std::size_t size = 0;  // of the document
    base::MonoTime at{};
    bool wasOn = false;
  };
  std::size_t mostBytes_, bytes_ = 0;
  std::map<std::string, Host> hosts_;  // by uid
};

}  // namespace ingot::coordinator::agents
