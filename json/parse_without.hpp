// Reading a document of which a part, often the largest, interests nobody.
#pragma once

#include "json/value.hpp"

namespace ingot::json {

// The member `member` of objects that are themselves called `parent`, `depth` objects and arrays deep: of the text
// {"a":{"b":1,"c":2}} {.parent = "a", .member = "b", .depth = 2} leaves {"a":{"c":2}}. Names with escapes in the text
// are not recognised.
struct LeftOut {
  std::string_view parent{}, member{};
  std::size_t depth = 0;  // 0: nothing is left out
};

// As parse(): what is left out must be JSON, too, and costs no memory. The document is for reading, and all its parts
// live and die together: one that is kept, or is edited much, is copied first (boost::json::value with its own
// storage).
[[nodiscard]] Value parseWithout(std::string_view text, const LeftOut& without, ParseLimits limits = {});

}  // namespace ingot::json
