// Ingot never acts beside a manager of Metal3 that does the same: it stands by as long as one of their Deployments
// wants replicas or has one ready, or had a moment ago, or one of their Leases a holder. Then it holds those Leases and
// works, until one of them is back.
#pragma once

#include "base/sync.hpp"
#include "coordinator/managers/deployments.hpp"
#include "coordinator/managers/held_leases.hpp"
#include "kube/runtime/event_recorder.hpp"

#include <functional>
#include <string>

namespace ingot::coordinator::managers {

struct StandbyOptions {
  HeldLeasesOptions leases;                  // its ownLease is what Events are about
  std::string pod;                           // of this process, in leases.namespace_; "" outside of one
  std::vector<std::string> namespaces = {};  // that are looked at; empty: all
  base::Duration whileWaiting = std::chrono::seconds(2);
  // A Deployment counts no pod that is being terminated: a manager works on for as long as it is given (10 s in
  // Metal3's manifests).
  base::Duration ending = std::chrono::seconds(15);
  base::Duration whileWorking = std::chrono::seconds(10);  // between two renewals: above 15 s they would run out
  base::Duration mostUnknown = std::chrono::seconds(60);   // while working: then somebody may act whom we do not see
};

class Standby {
 public:
  using Work = std::function<base::Task<void>()>;

  // `client` outlives it; it writes while this process leads, whatever mayAct() says.
  Standby(base::Runtime runtime, kube::Client& client, StandbyOptions options);

  // Waits until nobody of Metal3 acts, then runs `work`. When one of its managers comes back, or the API does not tell
  // for too long whether one has, `work` is cancelled, and base::Error thrown once it has ended. Exceptions of `work`
  // go through. Where the API does not tell whether they are there, it is waited for that, too.
  [[nodiscard]] base::Task<void> run(Work work);

  // Asked right before what changes the world: false before `work` runs, and from the moment on that somebody is known
  // to be back.
  [[nodiscard]] bool mayAct() const { return alone_; }
  // For people; "" when nothing is waited for.
  [[nodiscard]] const std::string& waitsFor() const { return waitsFor_; }

 private:
  struct Look {
    std::string others;   // for people; "" when there are none
    bool isOver = true;   // false: to be taken again soon
    bool isKnown = true;  // false: `others` says why nothing could be seen
  };
  [[nodiscard]] base::Task<void> untilAlone();
  [[nodiscard]] base::Task<void> workAlone(const Work& work);
  [[nodiscard]] base::Task<void> watch();
  [[nodiscard]] base::Task<void> watchDeployments();
  [[nodiscard]] base::Task<Look> look();
  [[nodiscard]] base::Task<Look> lookOrTellWhyNot();
  [[nodiscard]] base::Task<void> told();
  void tell(std::string text);
  void giveUp(std::string why);

  base::Runtime runtime_;
  StandbyOptions options_;
  HeldLeases leases_;
  Deployments deployments_;
  kube::EventRecorder events_;
  base::Notifier changed_;
  base::AbortSource stop_;
  std::vector<kube::Subscription> subscriptions_;
  bool alone_ = false;
  bool isOneAtWork_ = false;             // of the Deployments, as last seen
  std::optional<base::MonoTime> ended_;  // when the last of them was seen to be no more
  std::string waitsFor_;
  std::string back_;  // who came back while we worked
};

}  // namespace ingot::coordinator::managers
