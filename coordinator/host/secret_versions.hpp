// Under which earlier versions a Secret said what it says now. A label, or an owner reference, that somebody adds gives
// the Secret another version and makes no new password: nobody has to be asked again whether the BMC takes it.
#pragma once

#include "kube/core/secret.hpp"
#include "kube/runtime/cache.hpp"

#include <map>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

class SecretVersions {
 public:
  // Knows what the cache has been told since then; what it said before counts as another content.
  explicit SecretVersions(kube::Cache<kube::Secret>& secrets);

  // Those that are known to say the same as `version`, the newest last.
  [[nodiscard]] std::vector<std::string> sameAs(const kube::ObjectKey& secret, const std::string& version) const;

 private:
  static constexpr std::size_t kMost = 8;

  struct Known {
    std::string now;
    std::vector<std::string> before;
  };
  void follow(const kube::Cache<kube::Secret>::Change& change);

  std::map<kube::ObjectKey, Known> known_;  // only those that were changed without saying anything else
  kube::Subscription subscription_;
};

// What a Secret says changed, not who holds it. Our own claim must not end a back-off.
[[nodiscard]] bool contentChanged(const kube::Secret& before, const kube::Secret& after);

}  // namespace ingot::coordinator::host
