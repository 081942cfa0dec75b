#include "base/nearest.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace ingot::base {
namespace {

// Insertions, deletions and changes that turn one into the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  const std::string wanted = lower(word);
  std::string best;
  const std::size_t slips = word.size() <= 3 ? 1 : std::max<std::size_t>(2, word.size() / 3);
  std::size_t bestDistance = slips + 1;
  for (const std::string& candidate : candidates) {
    const std::string there = lower(candidate);
    const std::size_t d = distance(wanted, there);
    const bool completes = d == bestDistance && there.starts_with(wanted) && !lower(best).starts_with(wanted);
    if (d > slips || (d >= bestDistance && !completes)) continue;
    bestDistance = d;
    best = candidate;
  }
  return best;
}

}  // namespace ingot::base
