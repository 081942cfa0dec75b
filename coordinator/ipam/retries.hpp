// Claims that were refused for lack of addresses are tried again as addresses come free (--retry-refused-claims): as
// many as came free, the oldest first. Others follow only while an address is left that these did not take, so that
// what comes free costs as many passes, however many claims wait.
#pragma once

#include "coordinator/ipam/refused_claims.hpp"
#include "kube/runtime/controller.hpp"

#include <functional>

namespace ingot::coordinator::ipam {

struct RetriesWorld {
  base::Metrics& page;
  const RefusedClaims& refused;
  // Whether the pool would give that address, or any. Throws as AddressBooks::of().
  std::function<bool(const RefusedClaims::Line& line)> isFree;
  std::function<void(const RefusedClaims::Place& place)> call;  // has the claim looked at
};

class Retries final : public kube::Reconciler {
 public:
  using Place = RefusedClaims::Place;

  Retries(base::Runtime runtime, RetriesWorld world);

  // An address of the pool came free. A burst of them is one try.
  void note(const kube::ObjectKey& pool, const std::string& address);
  // The claim has been looked at, or is gone.
  void looked(ClaimKind kind, const kube::ObjectKey& claim) { atHand_.erase({kind, claim}); }
  [[nodiscard]] kube::Controller& controller() { return controller_; }

  [[nodiscard]] base::Task<kube::Next> reconcile(kube::ObjectKey pool) override;

 private:
  struct Try {
    std::size_t freed = 0;      // since the last look
    std::vector<Place> called;  // the last ones
  };
  using Tries = std::map<RefusedClaims::Line, Try>;

  // False: it is over.
  [[nodiscard]] bool goOn(const RefusedClaims::Line& line, Try& now);

  RetriesWorld world_;
  Tries tries_;
  std::set<std::pair<ClaimKind, kube::ObjectKey>> atHand_;  // called, and not looked at yet
  kube::Controller controller_;
};

}  // namespace ingot::coordinator::ipam
