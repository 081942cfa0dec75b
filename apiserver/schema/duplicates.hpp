// Which members a JSON text repeats: parsing keeps the last one, strict validation must name them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

// Paths ("spec.online", "spec.list[0].a") in order of appearance, each once, the first hundred. `text` has been parsed
// already: of damaged JSON this gives what it saw.
[[nodiscard]] std::vector<std::string> duplicateFields(std::string_view text);

}  // namespace ingot::apiserver
