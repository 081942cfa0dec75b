// Ingot never acts beside a manager of Metal3 that does the same: it stands by as long as one of their Deployments has
// a ready replica, or one of their Leases a holder. Then it holds those Leases and works, until one of them is back.
#pragma once

#include "base/sync.hpp"
#include "coordinator/managers/deployments.hpp"
#include "coordinator/managers/held_leases.hpp"
#include "kube/runtime/event_recorder.hpp"

#include <functional>
#include <string>

namespace ingot::coordinator::managers {

struct StandbyOptions {
  HeldLeasesOptions leases;
  std::string lease;  // our own, in leases.namespace_: what Events are about
  std::string pod;    // of this process, in leases.namespace_; "" outside of one
  base::Duration whileWaiting = std::chrono::seconds(2);
  base::Duration whileWorking = std::chrono::seconds(10);  // between two renewals: above 15 s they would run out
};

class Standby {
 public:
  using Work = std::function<base::Task<void>()>;

  // `client` outlives it; it writes while this process leads, whatever mayAct() says.
  Standby(base::Runtime runtime, kube::Client& client, StandbyOptions options);

  // Waits until nobody of Metal3 acts, then runs `work`. When one of its managers comes back, `work` is cancelled, and
  // base::Error thrown once it has ended. Exceptions of `work` go through. Where the API does not tell whether they are
  // there, it is waited for that, too.
  [[nodiscard]] base::Task<void> run(Work work);

  // Asked right before what changes the world: false before `work` runs, and from the moment on that somebody is back.
  [[nodiscard]] bool mayAct() const { return alone_; }
  // For people; "" when nothing is waited for.
  [[nodiscard]] const std::string& waitsFor() const { return waitsFor_; }

 private:
  [[nodiscard]] base::Task<void> untilAlone();
  [[nodiscard]] base::Task<void> workAlone(const Work& work);
  [[nodiscard]] base::Task<void> watch(base::AbortSource& stop);
  [[nodiscard]] base::Task<std::string> whoActs();
  [[nodiscard]] base::Task<void> told();
  void tell(std::string text);
  void giveUp(std::string why);

  base::Runtime runtime_;
  StandbyOptions options_;
  HeldLeases leases_;
  Deployments deployments_;
  kube::EventRecorder events_;
  base::Notifier changed_;
  std::vector<kube::Subscription> subscriptions_;
  bool alone_ = false;
  std::string waitsFor_;
  std::string back_;  // who came back while we worked
};

}  // namespace ingot::coordinator::managers
