#include "coordinator/agents/hardware_book.hpp"

#include "json/describe.hpp"
#include "json/value.hpp"

#include <algorithm>

namespace ingot::coordinator::agents {

void HardwareBook::take(const std::string& uid, const kube::ObjectKey& host, const bmc::Inventory& inventory,
                        base::MonoTime now) {
  forget(uid);
  const auto& kept = hosts_[uid] = {.key = host, .document = json::serialize(json::encode(inventory)), .at = now};
  bytes_ += kept.document.size();
  while (bytes_ > mostBytes_)
    forget(std::ranges::min_element(hosts_, {}, [](const auto& entry) { return entry.second.at; })->first);
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
  return Told{found->second.document, now - found->second.at};
}

}  // namespace ingot::coordinator::agents
