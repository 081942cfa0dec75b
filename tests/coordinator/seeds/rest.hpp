// What must be once all is quiet.
#pragma once

#include "tests/coordinator/seeds/plot.hpp"
#include "tests/coordinator/seeds/world.hpp"

namespace ingot::tests::seeds {

// Why the machines that are there are not all in service, each with what is its own, and nothing is there besides;
// "" when they are.
[[nodiscard]] std::string unrest(const World& world, const Plot& plot);

// What is left of machines, clusters, pools and templates, on hosts too; "" when nothing is.
[[nodiscard]] std::string leftovers(const World& world);

}  // namespace ingot::tests::seeds
