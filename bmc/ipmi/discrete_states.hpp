// What discrete sensors tell, row by row of `ipmitool -c sdr elist` (spec/bmc.md §15.4). Pure.
#pragma once

#include "bmc/capability/sensors.hpp"

#include <optional>
#include <string_view>

namespace ingot::bmc::ipmi {

// The part of the machine that a row of a discrete sensor tells of. Its state is all that is asserted, in ipmitool's
// words; its health the worst of those that tables 42-2 and 42-3 of IPMI 2.0 make good or bad, and "" where there is
// none: a word that is not known is shown and not judged (docs/decisions/0039). nullopt: a row of another form, without
// a reading, or of what is no hardware.
[[nodiscard]] std::optional<Component> discretePartIn(std::string_view line);

// nullopt: the row is of a part that is well, or whose state says nothing of it, or of another form.
[[nodiscard]] std::optional<RaisedBy> raisedByRow(std::string_view line);

}  // namespace ingot::bmc::ipmi
