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
  std::vector<std::string*> texts{&result.error,
                                  &found.manufacturer,
                                  &found.model,
                                  &found.serialNumber,
                                  &found.biosVersion,
                                  &found.hostname,
                                  &found.processors.architecture,
                                  &found.processors.model};
  for (auto& card : found.networkCards) {
    card.addresses.resize(std::min(card.addresses.size(), mostAddresses));
    texts.insert(texts.end(), {&card.name, &card.mac, &card.model});
    for (auto& address : card.addresses) texts.push_back(&address);
  }
  for (auto& disk : found.disks)
    texts.insert(texts.end(), {&disk.name, &disk.kind, &disk.vendor, &disk.model, &disk.serialNumber, &disk.wwn});
  for (auto& why : found.unread) texts.push_back(&why);
  for (auto* text : texts) *text = base::cutText(*text, longestText);
}

}  // namespace

bool InventoryBook::answered(const std::string& agent, const wire::InventoryResult& result) {
  auto* asked = find(result.host);
  if (asked == nullptr || asked->id != result.id || asked->agent != agent || asked->result) return false;
  bound(asked->result.emplace(result));
  return true;
}

}  // namespace ingot::coordinator::agents
