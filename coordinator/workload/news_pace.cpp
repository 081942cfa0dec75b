#include "coordinator/workload/news_pace.hpp"

#include <algorithm>

namespace ingot::coordinator::workload {

namespace {

constexpr base::Duration kBetweenLooks = std::chrono::seconds(1);
constexpr unsigned kAtOnce = 2;

}  // namespace

base::Duration NewsPace::take(const kube::ObjectKey& reader) {
  const base::MonoTime now = clock_.now();
  forgetRested(now);
  base::Pace& pace = paces_.try_emplace(reader, kBetweenLooks, kAtOnce).first->second;
  const bool isToLook = pace.due(now) > now + kBetweenLooks;  // after a part of that
  const base::MonoTime at = isToLook ? pace.due(now) - kBetweenLooks : pace.take(now);
  return std::max(base::Duration::zero(), at - now);
}

void NewsPace::forgetRested(base::MonoTime now) {
  if (now - sweptAt_ < kBetweenLooks) return;
  sweptAt_ = now;
  std::erase_if(paces_, [now](const auto& entry) { return entry.second.isRested(now); });
}

}  // namespace ingot::coordinator::workload
