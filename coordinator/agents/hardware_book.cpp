#include "coordinator/agents/hardware_book.hpp"

#include "base/compression.hpp"
#include "json/describe.hpp"
#include "json/value.hpp"

#include <algorithm>
#include <set>

namespace ingot::coordinator::agents {

namespace {

constexpr base::Duration replacedAfter = std::chrono::hours(24);

// What the BMC has and did not show, without the reasons, which differ from time to time.
std::set<std::string> missedIn(const bmc::Inventory& inventory) {
  std::set<std::string> missed;
  for (const auto& why : inventory.unread) missed.insert(why.substr(0, why.find(": ")));
  if (inventory.disks.empty()) missed.insert("disks");  // as in POST
  if (inventory.networkCards.empty()) missed.insert("network cards");
  return missed;
}

std::vector<bmc::Component> untoldOf(const bmc::Inventory& before, const bmc::Inventory& now) {
  std::set<std::pair<std::string, std::string>> told;
  for (const auto& part : now.components) told.emplace(part.kind, part.name);
  std::vector<bmc::Component> untold;
  for (const auto& part : before.components)
    if (!told.contains({part.kind, part.name})) untold.push_back(part);
  return untold;
}

}  // namespace

HardwareBook::Taken HardwareBook::take(const std::string& uid, const kube::ObjectKey& host,
                                       const bmc::Inventory& inventory, base::MonoTime readAt, bool isOn) {
  Taken taken{.isKept = true, .changes = {}};
  if (const auto known = hosts_.find(uid); known != hosts_.end() && readAt - known->second.at < replacedAfter) {
    const auto before =
        json::decode<bmc::Inventory>(json::parse(base::decompressed(known->second.document, known->second.size)));
    const auto missedBefore = missedIn(before), missedNow = missedIn(inventory);
    if (readAt < known->second.at || (known->second.wasOn && !isOn)) return {};
    if (!std::ranges::includes(missedBefore, missedNow))
      return {.isPart = true, .untold = untoldOf(before, inventory), .untoldAt = known->second.at};
    if (missedBefore == missedNow && known->second.wasOn && isOn) taken.changes = changesBetween(before, inventory);
  }
  forget(uid);
  const auto document = json::serialize(json::encode(inventory));
  const auto& kept = hosts_[uid] = {
      .key = host, .document = base::compressed(document), .size = document.size(), .at = readAt, .wasOn = isOn};
  bytes_ += kept.document.size();
  while (bytes_ > mostBytes_)
    forget(std::ranges::min_element(hosts_, {}, [](const auto& entry) { return entry.second.at; })->first);
  return taken;
}

void HardwareBook::forget(const std::string& uid) {
  const auto found = hosts_.find(uid);
  if (found == hosts_.end()) return;
  bytes_ -= found->second.document.size();
  hosts_.erase(found);
}

std::optional<HardwareBook::Told> HardwareBook::find(const kube::ObjectKey& host, base::MonoTime now) const {
  const auto found = std::ranges::find_if(hosts_, [&](const auto& entry) { return entry.second.key == host; });
  if (found == hosts_.end()) return std::nullopt;
  const auto& kept = found->second;
  return Told{base::decompressed(kept.document, kept.size), now - kept.at};
}

}  // namespace ingot::coordinator::agents
