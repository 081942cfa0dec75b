// What stands behind telltale names in the middle of texts. Private to cli/bundle.
#pragma once

#include <string>
#include <string_view>

namespace ingot::cli::bundle {

// *** for it, in the forms of flags, environments, headers, JSON (also within a string) and log fields: in brackets or
// quotes up to their end, else up to the next space. Where it cannot be told whether a value is over, it is not.
[[nodiscard]] std::string withoutAssigned(std::string text);

}  // namespace ingot::cli::bundle
