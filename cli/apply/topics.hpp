// Finds the field that a sentence of admission is about, because the sentences do not name it in a form to parse.
#pragma once

#include <string>
#include <string_view>

namespace ingot::cli {

// "spec.bmc.address"; "" when the sentence is about the object as a whole, or not known.
[[nodiscard]] std::string fieldMeant(std::string_view sentence);

}  // namespace ingot::cli
