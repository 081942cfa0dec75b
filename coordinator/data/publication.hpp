// What a template shows of its indexes: no more than the 512 items that the schema of status.indexes takes. Nobody
// allocates by what is shown, the Metal3Data alone count. Pure.
#pragma once

#include "coordinator/data/references.hpp"

#include <memory>
#include <vector>

namespace ingot::coordinator::data {

inline constexpr std::size_t kMostIndexes = 512;

struct Publication {
  std::vector<api::capm3::v1beta2::DataIndex> indexes;
  std::size_t leftOut = 0;
};

// The smallest ones, in order. Data without claim or index are not shown (spec/capm3.md §15.2).
[[nodiscard]] Publication publicationOf(const std::vector<std::shared_ptr<const Metal3Data>>& all);

}  // namespace ingot::coordinator::data
