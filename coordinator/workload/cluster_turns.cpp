#include "coordinator/workload/cluster_turns.hpp"

#include <algorithm>
#include <vector>

namespace ingot::coordinator::workload {
namespace {

constexpr std::size_t kMostEach = 3;
constexpr base::Duration kSlow = std::chrono::seconds(3);
constexpr base::Duration kRemembered = std::chrono::minutes(5);  // since it was slow

std::size_t halfOf(std::size_t count) { return std::max<std::size_t>(1, count / 2); }

}  // namespace

ClusterTurns::ClusterTurns(base::Clock& clock, std::size_t workers, Wake wake)
    : clock_(clock), most_(halfOf(workers)), mostWithSlow_(halfOf(most_)), wake_(std::move(wake)) {}

std::optional<ClusterTurns::Turn> ClusterTurns::take(const kube::ObjectKey& cluster, const kube::ObjectKey& asker) {
  Line& line = lines_[cluster];
  if (busy_ >= most_ || line.busy >= kMostEach || (isSlow(line) && busyWithSlow() >= mostWithSlow_)) {
    line.waiting.insert(asker);
    return std::nullopt;
  }
  line.waiting.erase(asker);
  ++line.busy;
  ++busy_;
  return std::optional<Turn>(std::in_place, *this, cluster);
}

std::size_t ClusterTurns::busyWithSlow() const {
  std::size_t sum = 0;
  for (const auto& [cluster, line] : lines_)
    if (isSlow(line)) sum += line.busy;
  return sum;
}

void ClusterTurns::end(const kube::ObjectKey& cluster, base::MonoTime since) {
  Line& line = lines_.at(cluster);
  --line.busy;
  --busy_;
  if (const auto now = clock_.now(); now - since > kSlow) line.slowUntil = now + kRemembered;
  wakeNext();
  std::erase_if(lines_, [this](const auto& entry) {
    return entry.second.busy == 0 && entry.second.waiting.empty() && !isSlow(entry.second);
  });
}

// As many as there are turns, also where some were woken for them before: one of those may be gone, or have nothing to
// write any more. One of each cluster, then a second one of each.
void ClusterTurns::wakeNext() {
  std::vector<decltype(lines_)::value_type*> order;
  for (const bool isLater : {true, false})
    for (auto& entry : lines_)
      if ((lastWoken_ < entry.first) == isLater && !entry.second.waiting.empty()) order.push_back(&entry);
  std::size_t free = most_ - busy_, freeForSlow = mostWithSlow_ - std::min(mostWithSlow_, busyWithSlow());
  for (std::size_t more = 0; more < kMostEach; ++more)
    for (auto* entry : order) {
      auto& [cluster, line] = *entry;
      const bool slow = isSlow(line);
      if (free == 0) return;
      if (line.waiting.empty() || line.busy + more >= kMostEach || (slow && freeForSlow == 0)) continue;
      --free;
      if (slow) --freeForSlow;
      lastWoken_ = cluster;
      const auto next = line.waiting.extract(line.waiting.begin());
      wake_(next.value());
    }
}

}  // namespace ingot::coordinator::workload
