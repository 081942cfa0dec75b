// The report of a coordinator in shadow, as coordinator/shadow makes it, for people. Anything else than is expected in
// it is left out.
#pragma once

#include "base/clock.hpp"
#include "cli/show/text_table.hpp"
#include "json/value.hpp"

#include <vector>

namespace ingot::cli {

// A row a field, the latest first.
[[nodiscard]] TextTable shadowTable(const json::Value& report, base::WallTime now);

// How much was decided alike and otherwise, how much is waited for, what Ironic would have been asked for.
[[nodiscard]] std::vector<std::string> shadowNotes(const json::Value& report, base::WallTime now);

}  // namespace ingot::cli
