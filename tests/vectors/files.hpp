#pragma once

#include "tests/vectors/vector_runner.hpp"

#include <vector>

namespace ingot::vectors {

// Throws base::InvalidInput when it cannot be read.
[[nodiscard]] std::string readFile(const std::string& path);
[[nodiscard]] std::vector<Line> readLines(const std::string& path);
// $INGOT_VECTORS, else tests/data/vectors.
[[nodiscard]] std::string folder();
[[nodiscard]] bool isDefaultFolder();

}  // namespace ingot::vectors
