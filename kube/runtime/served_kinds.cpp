#include "kube/runtime/served_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace ingot::kube {
namespace {

template <class Matches>
std::set<std::string> problemsOf(const std::vector<const CacheBase*>& caches, Matches matches) {
  std::set<std::string> problems;  // several caches may hold one kind
  for (const CacheBase* cache : caches)
    if (const auto unserved = cache->unserved(); unserved && matches(unserved->why)) problems.insert(unserved->problem);
  return problems;
}

}  // namespace

std::string ServedKinds::obstacle() const {
  const auto problems = problemsOf(caches_, [](Unserved::Why why) { return why != Unserved::Why::notInstalled; });
  return fmt::format("{}", fmt::join(problems, "; "));
}

std::string ServedKinds::notInstalled() const {
  const auto problems = problemsOf(caches_, [](Unserved::Why why) { return why == Unserved::Why::notInstalled; });
  return fmt::format("{}", fmt::join(problems, "; "));
}

}  // namespace ingot::kube
