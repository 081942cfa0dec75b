#pragma once

#include <string>

namespace ingot::cloudinit::yaml {

// The shortest digits that read back as the same number, in Go's %g form: 0.1, 100000, 1e+06, 1e-07, -0. The number is
// finite.
[[nodiscard]] std::string shortest(double number);

}  // namespace ingot::cloudinit::yaml
