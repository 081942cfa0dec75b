// How a text can be written, and how it is.
#pragma once

#include "json/yaml.hpp"

namespace ingot::json::yaml {

enum class ScalarStyle { plain, singleQuoted, doubleQuoted, literal };

// The line breaks of YAML 1.1 that may stand unescaped: line feed, U+2028, U+2029.
[[nodiscard]] bool isLineBreak(char32_t c);

// What may stand in YAML without an escape: no control characters, nothing above U+FFFF.
[[nodiscard]] bool isPrintable(char32_t c);

// A text without breaks may be a key before a colon; any other key needs the `? ` form.
[[nodiscard]] bool hasLineBreak(std::string_view text);

// The style of a value, or of a key in the `? ` form: several lines as a block, else plain if it reads back as a text
// and no indicator is in the way, else in the lightest quotes that can hold it.
[[nodiscard]] ScalarStyle styleOf(std::string_view text, YamlStyle style);

// The same for a key before a colon, which has no blocks.
[[nodiscard]] ScalarStyle styleOfKey(std::string_view text, YamlStyle style);

}  // namespace ingot::json::yaml
