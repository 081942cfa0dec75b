// Whether bytes are a text: JSON may hold nothing else.
#pragma once

#include <string_view>

namespace ingot::json {

// Well-formed UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool isUtf8(std::string_view bytes);

}  // namespace ingot::json
