// Whether a BMC is that of the machine whose drives are to be erased (spec/bmc.md §18 rule 3).
#pragma once

#include "bmc/capability/identity.hpp"
#include "bmc/erasure_record.hpp"

namespace ingot::bmc {

// Reads it, and notes in `record` which machine it is. `serialNumber`: of the right one; "": not known. Throws
// Error{refused} for another one, Error{busy} where the BMC does not say (yet).
[[nodiscard]] base::Task<void> requireMachine(IdentitySource& host, Lane lane, std::string serialNumber,
                                              ErasureRecord& record);

[[nodiscard]] std::string orNothing(const std::string& text);  // for people

}  // namespace ingot::bmc
