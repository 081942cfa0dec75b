#pragma once

#include "tests/vectors/vector_runner.hpp"

#include <map>

namespace ingot::vectors {

// Test programs only: filled before main() by the runners' registrations.
[[nodiscard]] std::map<std::string, Run>& runners();

}  // namespace ingot::vectors
