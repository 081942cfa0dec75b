// Who may ask a workload cluster now. One that takes its time for each answer would otherwise have all workers wait for
// it, and with them the remediations of every other cluster.
#pragma once

#include "coordinator/remediation/waits.hpp"
#include "kube/core/object_key.hpp"

#include <map>

namespace ingot::coordinator::remediation {

class ClusterTurns {
  using Busy = std::map<kube::ObjectKey, int>;

 public:
  class Turn {
   public:
    Turn(Busy& busy, Busy::iterator at) : busy_(busy), at_(at) { ++at_->second; }
    ~Turn() {
      if (--at_->second == 0) busy_.erase(at_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Busy& busy_;
    Busy::iterator at_;
  };

  // Lasts as long as what it returns. Throws Waits while three others are at it.
  [[nodiscard]] Turn take(const kube::ObjectKey& cluster) {
    const auto at = busy_.try_emplace(cluster, 0).first;
    if (at->second >= kMost) throw Waits::shortly("others are asking this workload cluster");
    return {busy_, at};
  }

 private:
  static constexpr int kMost = 3;
  Busy busy_;
};

}  // namespace ingot::coordinator::remediation
