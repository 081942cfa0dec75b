#include "coordinator/data/publication.hpp"

#include <map>

namespace ingot::coordinator::data {

Publication publicationOf(const std::vector<std::shared_ptr<const Metal3Data>>& all) {
  std::map<int, std::string> claims;
  for (const auto& data : all)
    if (const auto claim = claimOf(*data); claim && data->spec.index)
      claims.try_emplace(*data->spec.index, claim->name);
  Publication out;
  for (auto& [index, claim] : claims) {
    if (out.indexes.size() == kMostIndexes) break;
    out.indexes.push_back({.name = std::move(claim), .index = index});
  }
  out.leftOut = claims.size() - out.indexes.size();
  return out;
}

}  // namespace ingot::coordinator::data
