// A home folder for ipmitool. It looks there for the names of all manufacturers first, which take it most of its time
// to load: here it finds one.
#pragma once

#include <string>

namespace ingot::bmc::ipmi {

// Makes the folder, or keeps it. Throws base::Error.
void makeHome(const std::string& folder);

}  // namespace ingot::bmc::ipmi
