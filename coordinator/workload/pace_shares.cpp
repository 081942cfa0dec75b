#include "coordinator/workload/pace_shares.hpp"

#include <algorithm>

namespace ingot::coordinator::workload {
namespace {

constexpr base::Duration kReadsFor = std::chrono::seconds(10);  // after what it has told last

}  // namespace

std::size_t PaceShares::Share::rate(base::MonoTime now) const {
  all_->letGo(now);
  const auto& inNamespace = all_->inNamespace_;
  const auto own = inNamespace.find(namespace_);
  const bool isFirst = own == inNamespace.end();
  const std::size_t namespaces = inNamespace.size() + (isFirst ? 1 : 0);
  const std::size_t servers = (isFirst ? 0 : own->second) + (reading_ ? 0 : 1);
  return std::max<std::size_t>(1, all_->perSecond_ / namespaces / servers);
}

void PaceShares::Share::use(base::MonoTime now) {
  all_->letGo(now);
  auto& readers = all_->readers_;
  if (reading_) {
    (*reading_)->second = now + kReadsFor;
    return readers.splice(readers.end(), readers, *reading_);
  }
  reading_ = readers.insert(readers.end(), {this, now + kReadsFor});
  ++all_->inNamespace_[namespace_];
}

void PaceShares::Share::leave() {
  if (!reading_) return;
  all_->readers_.erase(*reading_);
  reading_.reset();
  const auto own = all_->inNamespace_.find(namespace_);
  if (--own->second == 0) all_->inNamespace_.erase(own);
}

void PaceShares::letGo(base::MonoTime now) {
  while (!readers_.empty() && readers_.front().second <= now) readers_.front().first->leave();
}

}  // namespace ingot::coordinator::workload
