// clusterctl says of a move that it waits, until it gives up after six minutes, and not for what. The hosts that hold
// one up say so: each by an Event, once for each time, and the log for the first of a namespace.
#pragma once

#include "base/runtime.hpp"
#include "coordinator/host_move/decision.hpp"
#include "kube/runtime/event_recorder.hpp"

#include <map>
#include <optional>

namespace ingot::coordinator::host_move {

class WaitingHosts {
 public:
  // The recorder outlives it.
  WaitingHosts(base::Runtime runtime, kube::EventRecorder& events) : runtime_(std::move(runtime)), events_(events) {}

  // `why`: of whyItWaits(); "": a move need not wait for it. When to look again; nullopt: there is nothing to tell, or
  // it is told.
  [[nodiscard]] std::optional<base::Duration> look(const BareMetalHost& host, const std::string& why);
  void forget(const kube::ObjectKey& host) { hosts_.erase(host); }

 private:
  struct Wait {
    base::MonoTime since;
    bool isTold = false;
  };
  [[nodiscard]] bool isAnyTold(const std::string& namespace_) const;

  base::Runtime runtime_;
  kube::EventRecorder& events_;
  std::map<kube::ObjectKey, Wait> hosts_;
};

}  // namespace ingot::coordinator::host_move
