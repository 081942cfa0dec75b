#include "coordinator/agents/hardware_book.hpp"

#include "json/describe.hpp"
#include "json/value.hpp"

#include <algorithm>

namespace ingot::coordinator::agents {

bmc::InventoryChanges HardwareBook::take(const std::string& uid, const kube::ObjectKey& host,
                                         const bmc::Inventory& inventory, base::MonoTime readAt, bool wanted) {
  const bool isWhole = inventory.unread.empty();
  const auto known = hosts_.find(uid);
  const bool knowsWhole = known != hosts_.end() && known->second.isWhole;
  if (knowsWhole && !isWhole && !wanted) return {};
  bmc::InventoryChanges changes;
  if (knowsWhole && isWhole)
    changes = bmc::changesBetween(json::decode<bmc::Inventory>(json::parse(known->second.document.text())), inventory);
  forget(uid);
  const auto& kept = hosts_[uid] = {.key = host,
                                    .document = base::PackedText(json::serialize(json::encode(inventory))),
                                    .at = readAt,
                                    .isWhole = isWhole};
  bytes_ += kept.document.bytesHeld();
  while (bytes_ > mostBytes_)
    forget(std::ranges::min_element(hosts_, {}, [](const auto& entry) { return entry.second.at; })->first);
  return changes;
}

void HardwareBook::forget(const std::string& uid) {
  const auto found = hosts_.find(uid);
  if (found == hosts_.end()) return;
  bytes_ -= found->second.document.bytesHeld();
  hosts_.erase(found);
}

std::optional<HardwareBook::Told> HardwareBook::find(const kube::ObjectKey& host, base::MonoTime now) const {
  const auto found = std::ranges::find_if(hosts_, [&](const auto& entry) { return entry.second.key == host; });
  if (found == hosts_.end()) return std::nullopt;
  return Told{found->second.document.text(), now - found->second.at};
}

}  // namespace ingot::coordinator::agents
