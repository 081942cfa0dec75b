// What stands in the book, as a document for programs and for `ingotctl shadow report`.
#pragma once

#include "coordinator/shadow/book.hpp"
#include "coordinator/shadow/fence.hpp"

namespace ingot::coordinator::shadow {

struct Reported {
  base::WallTime since{}, now{};
};

// A ShadowReport: counts by controller and outcome, whom nobody took for a manager of Metal3, the differences (the
// latest first), what Ironic would have been asked for. Long values are cut.
[[nodiscard]] json::Object reportOf(const Book& book, const std::deque<Asked>& asked, Reported when);

// The same of one difference; also what a line in the log says.
[[nodiscard]] json::Object documentOf(const Difference& difference);

}  // namespace ingot::coordinator::shadow
