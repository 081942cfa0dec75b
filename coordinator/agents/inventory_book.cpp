#include "coordinator/agents/inventory_book.hpp"

#include "base/cut_text.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestText = 256;  // bytes
constexpr std::size_t mostItems = 512, mostAddresses = 8;

void bound(wire::InventoryResult& result) {
  auto& found = result.inventory;
  found.networkCards.resize(std::min(found.networkCards.size(), mostItems));
  found.disks.resize(std::min(found.disks.size(), mostItems));
  found.unread.resize(std::min(found.unread.size(), mostItems));
  found.firmware.resize(std::min(found.firmware.size(), bmc::mostFirmware));
  found.pcieDevices.resize(std::min(found.pcieDevices.size(), bmc::mostPcieDevices));
  found.components.resize(std::min(found.components.size(), bmc::mostComponents));
  for (auto& device : found.pcieDevices)
    device.functions.resize(std::min(device.functions.size(), bmc::mostPcieFunctions));
  for (auto& card : found.networkCards) card.addresses.resize(std::min(card.addresses.size(), mostAddresses));
  const auto cut = [](std::string& text) { text = base::cutText(text, longestText); };
  cut(result.error);
  bmc::eachText(found, cut);
}

}  // namespace

bool InventoryBook::answered(const std::string& agent, const wire::InventoryResult& result) {
  auto* asked = find(result.host);
  if (asked == nullptr || asked->id != result.id || asked->agent != agent || asked->result) return false;
  bound(asked->result.emplace(result));
  return true;
}

}  // namespace ingot::coordinator::agents
