// Takes secrets out of texts that others have written, before they are logged or shown.
#pragma once

#include "base/secret.hpp"

#include <span>
#include <string>

namespace ingot::base {

// *** for `secret` wherever it stands in `text`, and for the user information of URLs. A secret of less than four
// characters is not looked for: it would be found in the middle of words.
[[nodiscard]] std::string redacted(std::string text, const Secret& secret);
[[nodiscard]] std::string redacted(std::string text, std::span<const Secret> secrets);

}  // namespace ingot::base
