// The watch of one workload cluster's Nodes over one connection: what it has brought, and whether it is still of use.
#pragma once

#include "base/pace.hpp"
#include "coordinator/workload/failure.hpp"
#include "coordinator/workload/node_view.hpp"
#include "coordinator/workload/options.hpp"
#include "coordinator/workload/shared_room.hpp"
#include "kube/runtime/watcher.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::workload {

class NodeWatch final : public kube::WatchSink {
 public:
  // Who is told, on the loop thread.
  struct Told {
    std::function<void()> synced;                    // the first list is in
    std::function<void(const kube::Node&)> changed;  // as ClusterCache::onChange, after the first list
    std::function<void()> troubled;                  // checkUse() may throw now
    std::function<void()> refused;                   // the server has answered 401
  };

  // Where what is kept counts, and for whom.
  struct Room {
    std::shared_ptr<SharedRoom> shared;
    std::string namespace_;
  };

  // All that is lent outlives this.
  NodeWatch(base::Runtime runtime, kube::Api& api, const kube::ClusterConfig& config,
            const ClusterCacheOptions& options, const Room& room, Told told);

  // Until cancelled.
  [[nodiscard]] base::Task<void> run() { return watcher_.run(); }
  // Throws Lost when this is of no use: the first list failed or takes too long, the cluster has more Nodes than there
  // is room for, or nothing was heard for too long.
  void checkUse() const;
  // What was read of an event that is not there as a whole: bytes, and how many they were before. May call letGo of
  // any seat of the room.
  void hasUnfinished(std::size_t before, std::size_t bytes);

  [[nodiscard]] bool synced() const { return synced_; }
  [[nodiscard]] const NodeView& nodes() const { return nodes_; }

 private:
  struct Listed {
    std::map<std::string, NodeView::Snapshot> nodes;
    std::map<std::string, std::string> undecoded;  // name → uid
    std::size_t count = 0, weight = 0;             // of all that was sent, also of one Node that was sent twice
  };

  void listStarted() override;
  void listed(json::Value object) override;
  [[nodiscard]] base::Task<void> listFinished(std::string resourceVersion) override;
  void changed(json::Value object) override;
  void deleted(json::Value object) override;
  void advanced(const std::string& resourceVersion) override;
  void failed(const std::exception& error) override;

  void take(NodeView::Snapshot node);
  void takeGone(NodeView::Snapshot node);
  void tellNews();
  void heard();
  void checkRoom(std::size_t count, std::size_t weight);
  void takeRoom();
  void letGo();

  base::Runtime runtime_;
  const kube::ClusterConfig& config_;
  const ClusterCacheOptions& options_;
  Told told_;
  kube::Watcher watcher_;
  Listed listed_;
  NodeView nodes_;
  std::size_t unfinished_ = 0;  // bytes
  std::shared_ptr<SharedRoom> room_;
  SharedRoom::Seat seat_;
  std::vector<NodeView::Snapshot> news_;  // to be told once nodes_ shows all of a list
  std::optional<Unknown> problem_;        // the last one; nullopt once something was heard again
  std::optional<Unknown> hopeless_;       // one that waiting does not cure
  bool synced_ = false;
  base::MonoTime startedAt_, heardAt_;
  base::Pace newsPace_;
};

}  // namespace ingot::coordinator::workload
