// Whose a BMC is, by the words of docs/architecture.md ("Who owns a BMC") and spec/ironic.md §3.1 and by what the
// double itself is doing: an oracle of its own, which shares nothing with coordinator/ownership.
#pragma once

#include "tests/support/fake_ironic.hpp"

#include <string>

namespace ingot::tests {

// Why nobody else may touch the node's machine now; "" when somebody may. Of a record as Ironic shows it.
[[nodiscard]] std::string whyIronicOwns(const json::Object& record);
// The same of a node of the double, with what no record shows: a request that is being handled, work that is due.
[[nodiscard]] std::string whyIronicOwns(FakeIronic& ironic, const std::string& node);

}  // namespace ingot::tests
