// What the review of each second needs of the hosts, taken from a host when it changes: one that nobody works on is
// neither read nor held for its sake, and can be kept packed (docs/decisions/0012).
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "kube/runtime/cache.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::coordinator::agents {

struct ReviewedHost {
  std::uint64_t change = 0;  // another number each time that the host changes
  std::string uid;
  kube::ObjectKey credentials;                  // its BMC's Secret
  std::string nodeId;                           // Ironic's; "" without one
  std::optional<api::ProvisioningState> state;  // nullopt: one that this version does not know
  bool beingDeleted = false, paused = false;
};

class ReviewedHosts {
 public:
  // Made before whatever reads it listens to the same cache, so that it is told first.
  explicit ReviewedHosts(kube::Cache<api::BareMetalHost>& hosts);

  // Those that an agent could serve: registered, and not detached.
  [[nodiscard]] const std::map<kube::ObjectKey, ReviewedHost>& all() const { return hosts_; }
  [[nodiscard]] const ReviewedHost* find(const kube::ObjectKey& key) const;  // nullptr: not among them
  // nullptr also when another object has taken its name.
  [[nodiscard]] const ReviewedHost* find(const kube::ObjectKey& key, const std::string& uid) const;

 private:
  void note(const api::BareMetalHost& host);

  std::map<kube::ObjectKey, ReviewedHost> hosts_;
  std::uint64_t changes_ = 0;
  kube::Subscription subscription_;
};

}  // namespace ingot::coordinator::agents
