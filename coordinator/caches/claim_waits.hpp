// Why claims for addresses wait, as address management knows and the status of an IPClaim cannot say: whoever reads an
// error there takes it as final. Lent to who waits for the address in the same process.
#pragma once

#include "kube/core/object_key.hpp"
#include "kube/runtime/subscription.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace ingot::coordinator {

class ClaimWaits {
 public:
  using Claim = std::pair<std::string_view, kube::ObjectKey>;  // the kind, which outlives this, and which one

  // False: it is known.
  bool note(const Claim& claim, const std::string& why) {
    if (std::exchange(whys_[claim], why) == why) return false;
    news_.tell(claim);
    return true;
  }
  void over(const Claim& claim) { whys_.erase(claim); }

  // "": nothing is known that it waits for.
  [[nodiscard]] std::string whyOf(const Claim& claim) const {
    const auto found = whys_.find(claim);
    return found == whys_.end() ? "" : found->second;
  }
  [[nodiscard]] kube::Subscription onNews(std::function<void(const Claim&)> listener) {
    return news_.add(std::move(listener));
  }

 private:
  std::map<Claim, std::string> whys_;
  kube::Listeners<Claim> news_;
};

}  // namespace ingot::coordinator
