// Whose turn it is to write to a workload cluster. One that takes its time for each answer would otherwise have all
// workers of a controller wait for it, and with them the machines of every other cluster.
#pragma once

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
  // `wake` is told whose turn it is now. Outlives all turns.
  explicit ClusterTurns(Wake wake) : wake_(std::move(wake)) {}
  ClusterTurns(const ClusterTurns&) = delete;
  ClusterTurns& operator=(const ClusterTurns&) = delete;

  // A turn lasts as long as this does.
  class Turn {
   public:
    Turn(ClusterTurns& turns, kube::ObjectKey cluster) : turns_(&turns), cluster_(std::move(cluster)) {}
    ~Turn() {
      if (turns_ != nullptr) turns_->end(cluster_);
    }
    Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)), cluster_(std::move(other.cluster_)) {}
    Turn& operator=(Turn&&) = delete;
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    ClusterTurns* turns_;
    kube::ObjectKey cluster_;
  };

  // nullopt while three others are at it: the asker is woken when one of them has done.
  [[nodiscard]] std::optional<Turn> take(const kube::ObjectKey& cluster, const kube::ObjectKey& asker) {
    auto& [busy, waiting] = clusters_[cluster];
    if (busy >= kMost) {
      waiting.insert(asker);
      return std::nullopt;
    }
    waiting.erase(asker);
    ++busy;
    return std::optional<Turn>(std::in_place, *this, cluster);
  }

 private:
  static constexpr int kMost = 3;
  struct Line {
    int busy = 0;
    std::set<kube::ObjectKey> waiting;
  };

  void end(const kube::ObjectKey& cluster) {
    const auto at = clusters_.find(cluster);
    auto& [busy, waiting] = at->second;
    --busy;
    // One that was woken before may be gone, or have nothing to write any more.
    for (int turns = kMost - busy; turns > 0 && !waiting.empty(); --turns) {
      const auto next = waiting.extract(waiting.begin());
      wake_(next.value());
    }
    if (busy == 0 && waiting.empty()) clusters_.erase(at);
  }

  Wake wake_;
  std::map<kube::ObjectKey, Line> clusters_;
};

}  // namespace ingot::coordinator::workload
