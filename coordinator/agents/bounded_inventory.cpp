#include "coordinator/agents/bounded_inventory.hpp"

#include "base/cut_text.hpp"

#include <algorithm>

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t mostItems = 512, mostAddresses = 8, mostUntold = 16;

}  // namespace

void bound(bmc::Inventory& found) {
  const auto keep = [](auto& list, std::size_t most) { list.resize(std::min(list.size(), most)); };
  keep(found.networkCards, mostItems);
  keep(found.disks, mostItems);
  keep(found.unread, mostItems);
  keep(found.firmware, bmc::mostFirmware);
  keep(found.pcieDevices, bmc::mostPcieDevices);
  keep(found.components, bmc::mostComponents);
  keep(found.modules, bmc::mostModules);
  keep(found.untold, mostUntold);
  for (auto& device : found.pcieDevices) keep(device.functions, bmc::mostPcieFunctions);
  for (auto& card : found.networkCards) keep(card.addresses, mostAddresses);
  const auto cut = [](std::string& text) { text = base::cutText(text, longestText); };
  bmc::eachText(found, cut);
  std::ranges::for_each(found.untold, cut);
}

}  // namespace ingot::coordinator::agents
