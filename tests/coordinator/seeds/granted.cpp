#include "tests/coordinator/seeds/granted.hpp"

#include "coordinator/rights/rights.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::tests::seeds {
namespace {

using coordinator::Part;
using coordinator::rights::Reach;
using coordinator::rights::Right;

constexpr std::string_view everyPlane = "get *.controlplane.cluster.x-k8s.io";

std::set<std::string> granted() {
  std::set<std::string> out;
  for (const Right& right : coordinator::rights::rights())
    if (right.reach == Reach::watched && right.part != Part::host)
      for (const auto verb : right.verbs)
        out.insert(fmt::format("{} {}{}{}", verb, right.resource, right.group.empty() ? "" : ".", right.group));
  return out;
}

}  // namespace

RightsCompared comparedWithGranted(std::set<std::string> used) {
  const auto given = granted();
  const bool hasPlane = std::erase_if(used, [](const std::string& right) {
                          return right.starts_with("get ") && right.ends_with(everyPlane.substr(5));
                        }) > 0;
  if (hasPlane) used.insert(std::string(everyPlane));
  RightsCompared out;
  std::ranges::set_difference(used, given, std::inserter(out.denied, out.denied.end()));
  std::ranges::set_difference(given, used, std::inserter(out.unused, out.unused.end()));
  return out;
}

}  // namespace ingot::tests::seeds
