#include "kube/runtime/served_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace ingot::kube {
namespace {

// Several caches may hold one kind.
std::set<std::string> problemsOf(const std::vector<const CacheBase*>& caches, bool mustBe) {
  std::set<std::string> problems;
  for (const CacheBase* cache : caches)
    if (const auto unserved = cache->unserved(); unserved && (unserved->why != Unserved::Why::notInstalled) == mustBe)
      problems.insert(unserved->problem);
  return problems;
}

}  // namespace

std::string ServedKinds::waitedFor() const { return fmt::format("{}", fmt::join(problemsOf(caches_, true), "; ")); }

std::string ServedKinds::notInstalled() const { return fmt::format("{}", fmt::join(problemsOf(caches_, false), "; ")); }

ServedKinds::Counts ServedKinds::counts() const {
  return {.waitedFor = problemsOf(caches_, true).size(), .notInstalled = problemsOf(caches_, false).size()};
}

}  // namespace ingot::kube
