// A BMC knows the password that it is sent, and what it says reaches error texts, logs and status fields.
#pragma once

#include "base/secret.hpp"
#include "bmc/driver.hpp"

namespace ingot::bmc {

// The same driver, whose errors and readings hold *** where the BMC repeated the password (base::redacted).
// Whatever the BMC says, an error is one line of at most 2 KiB, and each text of a reading one of at most 256 bytes.
[[nodiscard]] Driver redacted(Driver driver, const base::Secret& password);

}  // namespace ingot::bmc
