#include "coordinator/ipam/publication.hpp"

#include <iterator>
#include <string_view>
#include <utility>

namespace ingot::coordinator::ipam {
namespace {

constexpr std::size_t kAround = std::string_view(R"("":"",)").size();
constexpr std::size_t kAroundManaged = std::string_view(R"("f:":{},)").size();
constexpr std::size_t kOtherManaged = std::size_t{16} << 10;  // names of all other fields, for each of their writers

}  // namespace

std::size_t roomForIndexes(const api::ipam::IPPool& pool) {
  std::size_t rest = json::serialize(json::encode(pool.metadata)).size() +
                     json::serialize(json::encode(pool.spec)).size() + kOtherManaged;
  for (const auto& [claim, address] : pool.spec.preAllocations) rest += claim.size() + kAroundManaged;
  return rest < kLargestPool ? kLargestPool - rest : 0;
}

Publication publicationOf(std::map<std::string, std::string> indexes, std::size_t limit) {
  std::size_t bytes = 0;
  std::size_t shown = 1;  // braces around, and one comma less than there are claims
  auto at = indexes.begin();
  for (; at != indexes.end(); ++at) {
    const std::size_t json = at->first.size() + at->second.size() + kAround;
    const std::size_t more = json + at->first.size() + kAroundManaged;
    if (bytes + more > limit || shown + json > kLargestIndexes) break;
    bytes += more;
    shown += json;
  }
  const auto leftOut = static_cast<std::size_t>(std::distance(at, indexes.end()));
  indexes.erase(at, indexes.end());
  return {.indexes = std::move(indexes), .leftOut = leftOut, .bytes = bytes};
}

}  // namespace ingot::coordinator::ipam
