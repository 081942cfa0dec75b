// What admission's sentences are about: they do not name their field in a way that can be read.
#pragma once

#include <string>
#include <string_view>

namespace ingot::cli {

// "spec.bmc.address"; "" when the sentence is about the object as a whole, or not known.
[[nodiscard]] std::string fieldMeant(std::string_view sentence);

}  // namespace ingot::cli
