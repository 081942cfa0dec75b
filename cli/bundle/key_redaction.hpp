// Private keys in the middle of texts. Private to cli/bundle.
#pragma once

#include <string>
#include <string_view>

namespace ingot::cli::bundle {

// *** for each, also for one whose end, or whose beginning, was cut off with the text.
[[nodiscard]] std::string withoutPrivateKeys(std::string text);

}  // namespace ingot::cli::bundle
