// Seeds that a property is tried with.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace ingot::tests {

struct SeedRange {
  std::uint64_t first = 0, last = 0;  // `last` is not among them
  bool isTold = false;                // by INGOT_SEEDS=FROM-TO, in place of the test's own
};

[[nodiscard]] inline SeedRange seedRange(std::uint64_t first, std::uint64_t last) {
  SeedRange range{first, last};
  const char* told = std::getenv("INGOT_SEEDS");
  range.isTold = told != nullptr;
  if (range.isTold && (std::sscanf(told, "%lu-%lu", &range.first, &range.last) != 2 || range.first >= range.last))
    throw std::runtime_error("INGOT_SEEDS is not FROM-TO");
  return range;
}

}  // namespace ingot::tests
