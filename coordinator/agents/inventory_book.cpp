#include "coordinator/agents/inventory_book.hpp"

#include "base/cut_text.hpp"
#include "coordinator/agents/bounded_inventory.hpp"

namespace ingot::coordinator::agents {

bool InventoryBook::answered(const std::string& agent, const wire::InventoryResult& result) {
  auto* asked = find(result.host);
  if (asked == nullptr || asked->id != result.id || asked->agent != agent || asked->result) return false;
  auto& kept = asked->result.emplace(result);
  kept.error = base::cutText(kept.error, longestText);
  bound(kept.inventory);
  return true;
}

}  // namespace ingot::coordinator::agents
