#include "coordinator/ipam/overlaps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ingot::coordinator::ipam {

using api::ipam::IPPool;
using api::ipam::Span;

namespace {

constexpr std::size_t kMostNamed = 5;

std::pair<std::string, std::int64_t> versionOf(const kube::ObjectMeta& pool) { return {pool.uid, pool.generation}; }

}  // namespace

PoolSpans::PoolSpans(const IPPool& pool) {
  std::vector<Span> all;
  for (const auto& range : pool.spec.pools)
    if (const auto span = sequentialSpan(range)) all.push_back(*span);
  std::ranges::sort(all, {}, &Span::first);
  for (const Span& span : all) {
    if (!spans_.empty() && span.first <= spans_.back().last)
      spans_.back().last = std::max(spans_.back().last, span.last);
    else
      spans_.push_back(span);
  }
}

std::optional<base::IpAddress> PoolSpans::firstShared(const PoolSpans& other) const {
  auto mine = spans_.begin();
  auto theirs = other.spans_.begin();
  while (mine != spans_.end() && theirs != other.spans_.end()) {
    const auto first = std::max(mine->first, theirs->first);
    if (first <= std::min(mine->last, theirs->last)) return first;
    if (mine->last < theirs->last)
      ++mine;
    else
      ++theirs;
  }
  return std::nullopt;
}

std::string Overlaps::textOf(const IPPool& pool) {
  const kube::ObjectKey key = pool.metadata.key();
  const PoolSpans own = spansOf(pool);
  std::vector<std::string> shared;
  std::size_t others = 0;
  for (const auto& other : pools_.all(key.namespace_)) {
    if (other->metadata.name == key.name) continue;
    const auto address = own.firstShared(spansOf(*other));
    if (!address) continue;
    if (++others <= kMostNamed) shared.push_back(fmt::format("{} (from {} on)", other->metadata.name, address->text()));
  }
  if (others == 0) return "";
  return fmt::format("It shares addresses with {} other pools of its namespace, so two claims can get the same one: {}",
                     others, fmt::join(shared, ", "));
}

bool Overlaps::isTold(const kube::ObjectMeta& pool) const {
  const auto at = told_.find(pool.key());
  return at != told_.end() && at->second == versionOf(pool);
}

void Overlaps::noteTold(const kube::ObjectMeta& pool) { told_.insert_or_assign(pool.key(), versionOf(pool)); }

void Overlaps::forget(const kube::ObjectKey& pool) {
  spans_.erase(pool);
  told_.erase(pool);
}

const PoolSpans& Overlaps::spansOf(const IPPool& pool) {
  const auto found = spans_.find(pool.metadata.key());
  if (found != spans_.end() && found->second.first == versionOf(pool.metadata)) return found->second.second;
  return spans_.insert_or_assign(pool.metadata.key(), std::pair{versionOf(pool.metadata), PoolSpans(pool)})
      .first->second.second;
}

}  // namespace ingot::coordinator::ipam
