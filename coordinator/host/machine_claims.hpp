// The claims of all hosts to the nodes of their machines. Each is made once for each change of its host: what a host
// carries is a text of up to 256 KiB, and any number of hosts may name one machine. One thread.
#pragma once

#include "coordinator/host/same_machine.hpp"
#include "kube/core/object_key.hpp"

#include <cstdint>
#include <map>
#include <utility>

namespace ingot::coordinator::host {

class MachineClaims {
 public:
  // The host as it is now, nullptr: it is gone. Returns the claim that it had.
  MachineClaim note(const kube::ObjectKey& key, const api::BareMetalHost* host) {
    auto known = claims_.extract(key);
    MachineClaim before = known ? std::move(known.mapped()) : MachineClaim();
    if (host != nullptr) claims_.emplace(key, make(*host));
    return before;
  }
  // That of a host that is not there does not stand.
  [[nodiscard]] const MachineClaim& find(const kube::ObjectKey& host) const {
    static const MachineClaim none;
    const auto found = claims_.find(host);
    return found == claims_.end() ? none : found->second;
  }
  // How many were made since the start, with a look at what the host carries each.
  [[nodiscard]] std::uint64_t made() const { return made_; }

 private:
  MachineClaim make(const api::BareMetalHost& host) {
    ++made_;
    return claimOf(host);
  }

  std::map<kube::ObjectKey, MachineClaim> claims_;
  std::uint64_t made_ = 0;
};

}  // namespace ingot::coordinator::host
