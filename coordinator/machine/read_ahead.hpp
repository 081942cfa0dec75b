// Thousands of hosts do not fit into a CPU's cache, and a look at each waits for memory in several places. This class
// prefetches a host while earlier ones are looked at: first the parts of the host itself, later its labels, to which
// those parts lead. Without it a look at 10,000 hosts takes half as long again.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <span>

namespace ingot::coordinator::machine {

class ReadAhead {
 public:
  explicit ReadAhead(std::span<const api::BareMetalHost* const> hosts) : hosts_(hosts) {}

  // Called before the host of this index is looked at.
  void passing(std::size_t index) const {
    if (index + kFar < hosts_.size()) fetchParts(*hosts_[index + kFar]);
    if (index + kNear < hosts_.size()) fetchLabels(hosts_[index + kNear]->metadata.labels);
  }

 private:
  static constexpr std::size_t kFar = 12, kNear = 6;
  static constexpr std::size_t kLine = 64;  // bytes that come at once

  static void fetch(const void* address) { __builtin_prefetch(address); }

  static void fetchParts(const api::BareMetalHost& host) {
    fetch(&host.metadata.namespace_);
    fetch(&host.metadata.deletionTimestamp);
    fetch(&host.metadata.labels);
    fetch(&host.metadata.annotations);
    fetch(&host.spec.customDeploy);  // beside the end of consumerRef, which says whether there is one
    fetch(&host.status.errorMessage);
    fetch(&host.status.provisioning.state);
  }

  // Labels decoded one after another lie side by side.
  static void fetchLabels(const std::map<std::string, std::string>& labels) {
    if (labels.empty()) return;
    const auto* first = reinterpret_cast<const char*>(&*labels.begin());
    for (std::size_t line = 0; line < 3; ++line) fetch(first + line * kLine);
  }

  std::span<const api::BareMetalHost* const> hosts_;
};

}  // namespace ingot::coordinator::machine
