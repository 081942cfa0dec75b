// What is done for one claim, of either kind (spec/ipam.md §12, §13). A claim costs three writes: its finalizer, its
// address object, its status, in this order, so that whatever is cut off can be cleaned up. Which address it gets is
// decided and entered into the pool's book before the first of them: claims may be worked on side by side.
#pragma once

#include "coordinator/caches/claim_waits.hpp"
#include "coordinator/caches/lasting_errors.hpp"
#include "coordinator/caches/unseen_clusters.hpp"
#include "coordinator/ipam/address_books.hpp"
#include "coordinator/ipam/address_removal.hpp"
#include "coordinator/ipam/claim_kinds.hpp"
#include "coordinator/ipam/decision.hpp"
#include "coordinator/ipam/pools.hpp"
#include "kube/runtime/pass.hpp"

#include <functional>
#include <map>
#include <set>

namespace ingot::coordinator::ipam {

template <class Claim>
class ClaimReconciler final : public kube::ObjectReconciler<Claim> {
 public:
  using Address = typename KindOf<Claim>::Address;

  ClaimReconciler(base::Runtime runtime, kube::PassWorld<Claim> world, kube::Cache<Address>& addresses, Pools& pools,
                  UnseenClusters& unseenClusters, AddressBooks& books, ClaimWaits& waits, Retry retry);

  // Called at the end of each pass, however it ends, and for claims that are gone. One listener.
  void onLooked(std::function<void(const kube::ObjectKey& claim)> listener) { looked_ = std::move(listener); }

 protected:
  [[nodiscard]] base::Task<kube::Next> run(kube::Pass<Claim>& claim) override;
  void gone(const kube::ObjectKey& key) override;

 private:
  using Pool = std::shared_ptr<const api::ipam::IPPool>;
  // The claim has this address object from now on; `fresh`: we made it for the claim.
  struct Placed {
    std::string name;
    bool fresh = false;
  };
  // Not now. It passes by itself, or a person must look.
  struct Blocked {
    std::string why;
  };
  // An object of somebody else's is called as this one would be: the next address may be given.
  struct InTheWay {
    std::string why;
  };
  using Outcome = std::variant<Placed, Refused, Blocked, InTheWay>;
  using Plan = Decision<Address>;
  struct AtEnd {
    ClaimReconciler& reconciler;
    kube::ObjectKey claim;
    ~AtEnd() { reconciler.looked_(claim); }
  };
  struct Failure {
    std::optional<Refusal> step;  // of taking its address away
    kube::Error why;
  };

  [[nodiscard]] base::Task<kube::Next> act(kube::Pass<Claim>& claim);
  // Saves nothing else.
  [[nodiscard]] base::Task<void> tellFailure(kube::Pass<Claim>& claim, Failure failure);

  [[nodiscard]] base::Task<kube::Next> allocate(kube::Pass<Claim>& claim, Pool pool);
  [[nodiscard]] bool isStill(const api::ipam::IPPool& pool) const;
  // How long before people hear that what it asks for is not there.
  [[nodiscard]] base::Duration untilMissed(const Claim& claim) const;
  [[nodiscard]] base::Task<kube::Next> restWith(kube::Pass<Claim>& claim, const api::ipam::IPPool& pool);
  // Throws kube::NotReady.
  [[nodiscard]] base::Task<void> review(const Claim& claim, Pool pool);
  [[nodiscard]] Plan planFor(const Claim& claim, const api::ipam::IPPool& pool);
  [[nodiscard]] base::Task<Outcome> carryOut(Plan plan, const Claim& claim, Pool pool);
  [[nodiscard]] base::Task<Outcome> create(Address object, const Claim& claim, Pool pool);
  [[nodiscard]] Outcome judgeNamesake(const Address& wanted, const Address& stored, const Claim& claim,
                                      const api::ipam::IPPool& pool);
  // It is the claim's now, also when one of this name had it that is gone.
  [[nodiscard]] base::Task<Outcome> adopt(Address stored, const Claim& claim, Pool pool);
  [[nodiscard]] base::Task<kube::Next> tell(kube::Pass<Claim>& claim, Outcome outcome);
  // In the log and by an Event, once a reason, and in a condition where there is one.
  [[nodiscard]] base::Task<void> tellBlocked(kube::Pass<Claim>& claim, std::string text);
  [[nodiscard]] base::Task<kube::Next> blocked(kube::Pass<Claim>& claim, std::string why);

  [[nodiscard]] static ClaimWaits::Claim nameOf(const kube::ObjectKey& claim) { return {Claim::info.kind, claim}; }

  [[nodiscard]] base::Task<kube::Next> release(kube::Pass<Claim>& claim, Pool pool);
  // The pool is there and not shown here: whoever gave the address takes it back.
  [[nodiscard]] base::Task<bool> isServedElsewhere(kube::ObjectKey pool);
  [[nodiscard]] base::Task<kube::Next> notShown(kube::Pass<Claim>& claim);
  [[nodiscard]] std::set<std::string> objectsOf(const Claim& claim, const api::ipam::IPPool* pool);
  // How long a creation that was asked for, and never answered, may still be done; zero: none may.
  [[nodiscard]] base::Duration lostAnswerLeft(const kube::ObjectKey& claim) const;
  void waitForLostAnswer(const kube::ObjectKey& claim);

  base::Runtime runtime_;
  kube::Cache<Address>& addresses_;
  Pools& pools_;
  UnseenClusters& unseenClusters_;
  AddressBooks& books_;
  ClaimWaits& waits_;
  Retry retry_;
  AddressRemoval<Claim> removal_;
  LastingErrors errors_;
  std::map<kube::ObjectKey, base::MonoTime> lostAnswers_;  // when a creation was asked for that may still be done
  std::function<void(const kube::ObjectKey& claim)> looked_ = [](const kube::ObjectKey&) {};
};

extern template class ClaimReconciler<api::ipam::IPClaim>;
extern template class ClaimReconciler<api::capi_ipam::IPAddressClaim>;

}  // namespace ingot::coordinator::ipam
