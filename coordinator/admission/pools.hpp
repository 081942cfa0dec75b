// A range of an IPPool stays while addresses of it are in use: as the address objects say, of which status.indexes may
// show some only (spec/ipam.md §7.2).
#pragma once

#include "apiserver/registry/registry.hpp"

#include <memory>

namespace ingot::coordinator {

// Runs after the rules that look at the pool alone.
[[nodiscard]] std::shared_ptr<const apiserver::KindRules> poolRules(const apiserver::Registry& registry);

}  // namespace ingot::coordinator
