// Whose turn it is to write to a workload cluster. One that takes its time for each answer would otherwise have all
// workers of a controller wait for it, and with them the machines of every other cluster. So:
//  - three at a time write to one cluster;
//  - half of a controller's workers write to clusters at a time, the others have what needs none to do;
//  - half of those write to clusters that have been slow, however many there are, the others to all that are quick.
#pragma once

#include "base/clock.hpp"
#include "kube/core/object_key.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ingot::coordinator::workload {

class ClusterTurns {
 public:
  using Wake = std::function<void(const kube::ObjectKey& asker)>;
  // `wake` is told whose turn it is now, and takes none itself. Outlives all turns, and `clock` this.
  ClusterTurns(base::Clock& clock, std::size_t workers, Wake wake);
  ClusterTurns(const ClusterTurns&) = delete;
  ClusterTurns& operator=(const ClusterTurns&) = delete;

  // A turn lasts as long as this does.
  class Turn {
   public:
    Turn(ClusterTurns& turns, kube::ObjectKey cluster)
        : turns_(&turns), cluster_(std::move(cluster)), since_(turns.clock_.now()) {}
    ~Turn() {
      if (turns_ != nullptr) turns_->end(cluster_, since_);
    }
    Turn(Turn&& other) noexcept
        : turns_(std::exchange(other.turns_, nullptr)), cluster_(std::move(other.cluster_)), since_(other.since_) {}
    Turn& operator=(Turn&&) = delete;
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    ClusterTurns* turns_;
    kube::ObjectKey cluster_;
    base::MonoTime since_;
  };

  // nullopt while enough others are at it: the asker is woken when one of them has done.
  [[nodiscard]] std::optional<Turn> take(const kube::ObjectKey& cluster, const kube::ObjectKey& asker);

 private:
  struct Line {
    std::size_t busy = 0;
    std::set<kube::ObjectKey> waiting;
    base::MonoTime slowUntil{};
  };

  [[nodiscard]] bool isSlow(const Line& line) const { return clock_.now() < line.slowUntil; }
  [[nodiscard]] std::size_t busyWithSlow() const;
  void end(const kube::ObjectKey& cluster, base::MonoTime since);
  void wakeNext();

  base::Clock& clock_;
  std::size_t most_, mostWithSlow_;
  Wake wake_;
  std::map<kube::ObjectKey, Line> lines_;
  std::size_t busy_ = 0;
  kube::ObjectKey lastWoken_;  // the cluster: the others come first
};

}  // namespace ingot::coordinator::workload
