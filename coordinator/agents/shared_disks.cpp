#include "coordinator/agents/shared_disks.hpp"

#include "base/text.hpp"

#include <set>

namespace ingot::coordinator::agents {

namespace {

std::string normalized(const std::string& serial) { return base::lower(base::trimmed(serial)); }

}  // namespace

std::string otherWithDisk(const kube::Cache<api::BareMetalHost>& hosts, const std::string& uid,
                          const bmc::EraseOrder& order) {
  std::set<std::string> own;
  for (const auto& serial : order.known)
    if (depthOf(order, serial) != bmc::EraseDepth::keep) own.insert(normalized(serial));
  for (const auto& [serial, depth] : order.depths)
    if (depth != bmc::EraseDepth::keep) own.insert(normalized(serial));
  for (const auto& other : hosts.all()) {
    // Of a host without a BMC nobody has found anything: whoever may write it can say what he likes.
    if (other->metadata.uid == uid || !other->status.hardware || other->spec.bmc.address.empty()) continue;
    for (const auto& disk : other->status.hardware->storage)
      if (!disk.serialNumber.empty() && own.contains(normalized(disk.serialNumber)))
        return fmt::format(
            "the drive {} was found by the inspection of host {}/{} too, which may be using it: set "
            "automatedCleaningMode to 'disabled', or inspect that host again",
            disk.serialNumber, other->metadata.namespace_, other->metadata.name);
  }
  return {};
}

}  // namespace ingot::coordinator::agents
